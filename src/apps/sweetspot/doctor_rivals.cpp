// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_rivals.hpp"

#include <pwd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;

struct Rival {
  std::string_view name;
  std::string_view program;  ///< file name of what runs, script or binary
  std::string_view unit;     ///< empty: none is installed for it
  std::string_view does;
  std::string_view fix;
};

constexpr std::array<Rival, 6> rivals{{
    {"jtop", "jtop", "jtop.service",
     "writes the GPU's limits when somebody uses its clock or mode buttons, or at boot when told to",
     "sudo systemctl disable --now jtop.service, or leave its NVPModel and jetson_clocks buttons alone"},
    {"nvpmodel indicator", "nvpmodel_indicator.py", "", "its menu changes the power mode, and with it the GPU's limits",
     "leave its menu alone while jobs run, or take it out of the desktop's autostart"},
    {"nvpmodel", "nvpmodel", "", "is changing the power mode just now", "wait until it has ended, then ask again"},
    {"jetson_clocks", "jetson_clocks", "", "is changing the GPU's limits just now",
     "wait until it has ended, then ask again"},
    {"power-profiles-daemon", "power-profiles-daemon", "power-profiles-daemon.service",
     "changes CPU clocks by profile: the joules of two jobs compare only under the same one",
     "sudo systemctl disable --now power-profiles-daemon.service, or keep one profile"},
    {"tuned", "tuned", "tuned.service",
     "changes CPU governors and, with a profile that has a sysfs section, the GPU's limits",
     "sudo systemctl disable --now tuned.service, or look for devfreq in the profile that `tuned-adm active` names"},
}};

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_interpreter(std::string_view program) {
  return program.substr(0, 6) == "python" || program == "bash" || program == "sh" || program == "dash";
}

std::vector<std::string_view> arguments_of(std::string_view command_line) {
  std::vector<std::string_view> words;
  while (!command_line.empty()) {
    const std::size_t end = std::min(command_line.find('\0'), command_line.size());
    words.push_back(command_line.substr(0, end));
    command_line.remove_prefix(std::min(end + 1, command_line.size()));
  }
  return words;
}

/// The program, or the script an interpreter runs: an editor that has "jtop" open is not jtop.
std::string_view program_of(std::string_view command_line) {
  const auto words = arguments_of(command_line);
  if (words.empty()) return {};
  const std::string_view program = file_name(words.front());
  if (!is_interpreter(program)) return program;
  const auto script = std::find_if(words.begin() + 1, words.end(),
                                   [](std::string_view word) { return !word.empty() && word.front() != '-'; });
  return script == words.end() ? program : file_name(*script);
}

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

struct Running {
  std::string pid;
  std::string program;
};

std::vector<Running> running_programs(const Attributes& system) {
  std::vector<Running> all;
  for (const std::string& pid : system.list("/proc").value_or(std::vector<std::string>{})) {
    if (!is_number(pid)) continue;
    // One that ended meanwhile, or a thread of the kernel, has no command line.
    const auto line = system.read("/proc/" + pid + "/cmdline");
    if (line && !line->empty()) all.push_back({pid, std::string(program_of(*line))});
  }
  return all;
}

bool is_active(const Attributes& system, const std::string& unit) {
  return system.exists("/sys/fs/cgroup/system.slice/" + unit) ||
         system.exists("/sys/fs/cgroup/systemd/system.slice/" + unit);
}

bool is_enabled(const Attributes& system, const std::string& unit) {
  const std::string folder = "/etc/systemd/system";
  for (const std::string& name : system.list(folder).value_or(std::vector<std::string>{})) {
    const bool wants = name.size() > 6 && name.compare(name.size() - 6, 6, ".wants") == 0;
    if (wants && system.exists(folder + "/" + name + "/" + unit)) return true;
  }
  return false;
}

std::optional<Finding> rival_finding(const Attributes& system, const Rival& rival,
                                     const std::vector<Running>& programs) {
  const std::string check = "rival: " + std::string(rival.name);
  const std::string does = "; it " + std::string(rival.does);
  const std::string fix(rival.fix);
  for (const Running& running : programs) {
    if (running.program == rival.program)
      return Finding{Verdict::warn, check, "runs as process " + running.pid + does, fix};
  }
  const std::string unit(rival.unit);
  if (unit.empty()) return std::nullopt;
  if (is_active(system, unit)) return Finding{Verdict::warn, check, unit + " is active" + does, fix};
  if (is_enabled(system, unit))
    return Finding{Verdict::warn, check, unit + " does not run, but will after the next boot" + does, fix};
  return std::nullopt;
}

/// "path:value" lines; the value of the GPU's min_freq.
std::optional<Hertz> stored_minimum(std::string_view store, const GpuNode& gpu) {
  constexpr std::string_view key = "/min_freq:";
  while (!store.empty()) {
    const std::string_view line = store.substr(0, store.find('\n'));
    store.remove_prefix(std::min(line.size() + 1, store.size()));
    const std::size_t at = line.find(key);
    if (at == std::string_view::npos) continue;
    const std::string_view folder = file_name(line.substr(0, at));
    const auto value = parse_unsigned(line.substr(at + key.size()));
    if (value && (folder == gpu.name || folder == "devfreq_dev")) return Hertz{*value};
  }
  return std::nullopt;
}

Finding store_finding(const std::string& path, Hertz minimum, const GpuNode& gpu) {
  const std::string check = "jetson_clocks";
  if (minimum.value <= gpu.table.lowest().value)
    return {Verdict::ok, check, "stored limits in " + path + "; restoring them leaves the GPU free", ""};
  return {Verdict::warn, check,
          "`jetson_clocks --restore` would set min_freq to " + to_text(minimum) + ": " + path +
              " was stored while the clock was pinned",
          "sudo jetson_clocks --store " + path + " while no job runs, or sudo rm " + path};
}

}  // namespace

std::vector<Finding> rival_findings(const Attributes& system) {
  std::vector<Finding> findings;
  const auto programs = running_programs(system);
  std::string names;
  for (const Rival& rival : rivals) {
    names += (names.empty() ? "" : ", ") + std::string(rival.name);
    if (auto finding = rival_finding(system, rival, programs)) findings.push_back(std::move(*finding));
  }
  if (findings.empty()) findings.push_back({Verdict::ok, "rivals", "none of " + names + " runs or will", ""});
  return findings;
}

std::vector<Finding> jetson_clocks_findings(const Attributes& system, const std::vector<std::string>& stores,
                                            const Attributes& board, const GpuNode& gpu) {
  std::vector<Finding> findings;
  for (const std::string& path : stores) {
    const auto store = system.read(path);
    const auto minimum = store ? stored_minimum(*store, gpu) : std::nullopt;
    if (minimum) findings.push_back(store_finding(path, *minimum, gpu));
  }
  const std::string gating = gpu.device_dir + "/railgate_enable";
  if (const auto enabled = board.read(gating); enabled && *enabled == "0")
    findings.push_back({Verdict::warn, "power gating",
                        "the GPU stays powered while idle, as jetson_clocks leaves it: idle energy is higher",
                        "sudo jetson_clocks --restore, or echo 1 | sudo tee " + gating});
  return findings;
}

std::vector<std::string> jetson_clocks_stores() {
  std::vector<std::string> folders;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') folders.emplace_back(home);
  if (const passwd* root = ::getpwuid(0); root != nullptr) folders.emplace_back(root->pw_dir);
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  for (std::string& folder : folders) folder += "/l4t_dfs.conf";
  return folders;
}

}  // namespace sweetspot
