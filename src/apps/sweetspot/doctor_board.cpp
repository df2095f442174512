// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_board.hpp"

#include "apps/sweetspot/doctor_rails.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/gpu_load.hpp"
#include "sweetspot/platform/power_mode.hpp"
#include "sweetspot/platform/thermal.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* driver_fix = "see what the driver says: `sudo dmesg | grep -E 'nvgpu|devfreq'`";

Finding board_finding(const BoardIdentity& identity) {
  if (identity.soc.empty() && identity.model.empty())
    return {Verdict::warn, "board", "the device tree names no board: is this a Jetson?", ""};
  std::string text = identity.model.empty() ? identity.id : identity.model;
  if (!identity.soc.empty()) text += ", " + identity.soc;
  if (!identity.l4t.empty()) text += ", L4T " + identity.l4t;
  if (!identity.jetpack.empty()) text += " (JetPack " + identity.jetpack + ")";
  return {Verdict::ok, "board", text, ""};
}

Finding table_finding(const FrequencyTable& table) {
  std::string text =
      std::to_string(table.clocks().size()) + " clocks, " + to_text(table.lowest()) + " to " + to_text(table.highest());
  return {Verdict::ok, "clocks", text, ""};
}

Finding limits_finding(const Attributes& board, const GpuNode& gpu, const std::optional<StatusReport>& daemon) {
  const auto lowest = read_clock(board, gpu.devfreq_dir + "/min_freq");
  const auto highest = read_clock(board, gpu.devfreq_dir + "/max_freq");
  if (!lowest) return {Verdict::fail, "limits", lowest.error().message, driver_fix};
  if (!highest) return {Verdict::fail, "limits", highest.error().message, driver_fix};
  std::string text = to_text(*lowest) + " to " + to_text(*highest);
  const auto cooling = CoolingDevices::find(board).active();
  if (!cooling.empty())
    return {Verdict::warn, "limits", text + ", lowered at the moment by " + sum_text(cooling) + ": the board is hot",
            "let it cool, see its fan; jobs are pinned once it has"};
  if (highest->value < gpu.table.highest().value)
    text += " (the board goes up to " + to_text(gpu.table.highest()) + ")";
  if (*lowest != *highest) return {Verdict::ok, "limits", text, ""};
  if (daemon && daemon->clock.goal) return {Verdict::ok, "limits", text + ": pinned by sweetspotd for a job", ""};
  return {Verdict::warn, "limits", text + ": somebody pinned the clock, as jetson_clocks does",
          "sudo jetson_clocks --restore, or sudo sweetspotd --restore after a crash of the service"};
}

Finding power_mode_finding(const Attributes& board) {
  const auto mode = read_power_mode(board);
  if (!mode) return {Verdict::ok, "power mode", "not known: nvpmodel has left no status", ""};
  return {Verdict::ok, "power mode", std::to_string(mode->id) + (mode->name.empty() ? "" : " " + mode->name), ""};
}

Finding governor_finding(const Attributes& board, const GpuNode& gpu) {
  const std::string path = gpu.devfreq_dir + "/governor";
  const auto governor = board.read(path);
  if (!governor) return {Verdict::fail, "governor", governor.error().message, driver_fix};
  if (*governor == "nvhost_podgov") return {Verdict::ok, "governor", *governor, ""};
  return {Verdict::warn, "governor", *governor + ", not nvhost_podgov: somebody changed it, and pins may not be obeyed",
          "echo nvhost_podgov | sudo tee " + path};
}

Finding load_finding(const Attributes& board, const GpuNode& gpu) {
  const std::string without = "; the second stage of mlg stays off";
  if (!gpu.load_file) return {Verdict::warn, "gpu load", "this board has no load file" + without, ""};
  auto reader = LoadReader::open(board, gpu);
  if (!reader) return {Verdict::warn, "gpu load", reader.error().message + without, ""};
  const auto load = reader->read();
  if (!load) return {Verdict::warn, "gpu load", load.error().message + without, ""};
  return {Verdict::ok, "gpu load", fixed_text(*load, 1) + " % now", ""};
}

void add_gpu_findings(const Attributes& board, const std::optional<StatusReport>& daemon, BoardFindings& out) {
  const GpuNode& gpu = *out.gpu;
  out.findings.push_back({Verdict::ok, "gpu node", gpu.devfreq_dir, ""});
  out.findings.push_back(table_finding(gpu.table));
  out.findings.push_back(limits_finding(board, gpu, daemon));
  out.findings.push_back(power_mode_finding(board));
  out.findings.push_back(governor_finding(board, gpu));
  out.findings.push_back(load_finding(board, gpu));
}

}  // namespace

BoardFindings board_findings(const Attributes& board, const std::optional<StatusReport>& daemon) {
  BoardFindings out;
  const BoardIdentity identity = identify_board(board);
  out.findings.push_back(board_finding(identity));
  auto gpu = find_gpu(board, identity);
  if (gpu) {
    out.gpu = std::move(*gpu);
    add_gpu_findings(board, daemon, out);
  } else {
    out.findings.push_back({Verdict::fail, "gpu node", gpu.error().message,
                            "the node appears when something first uses the GPU: run any CUDA program once, or see "
                            "`sudo dmesg | grep nvgpu`"});
  }
  for (Finding& finding : rail_findings(board)) out.findings.push_back(std::move(finding));
  return out;
}

}  // namespace sweetspot
