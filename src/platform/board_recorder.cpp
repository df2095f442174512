// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/board_recorder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "sweetspot/platform/anonymiser.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/discovery_text.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"

namespace sweetspot {
namespace {

constexpr std::array<std::string_view, 12> devfreq_files{"name",
                                                         "governor",
                                                         "available_governors",
                                                         "available_frequencies",
                                                         "cur_freq",
                                                         "target_freq",
                                                         "min_freq",
                                                         "max_freq",
                                                         "polling_interval",
                                                         "timer",
                                                         "uevent",
                                                         "power/runtime_status"};
/// nvgpu's, in the GPU's device folder.
constexpr std::array<std::string_view, 16> gpu_files{"load",
                                                     "railgate_enable",
                                                     "railgate_delay",
                                                     "is_railgated",
                                                     "gpu_powered_on",
                                                     "emc3d_ratio",
                                                     "tpc_pg_mask",
                                                     "gpc_pg_mask",
                                                     "fbp_pg_mask",
                                                     "enable_3d_scaling",
                                                     "user",
                                                     "freq_request",
                                                     "uevent",
                                                     "power/control",
                                                     "power/runtime_status",
                                                     "power/autosuspend_delay_ms"};
constexpr std::array<std::string_view, 4> gpu_links{"devfreq_dev", "of_node/name", "subsystem", "driver"};
constexpr std::array<std::string_view, 3> aliases{"/sys/devices/gpu.0", "/sys/devices/platform/gpu.0",
                                                  "/sys/devices/platform/17000000.gpu"};
constexpr std::array<std::string_view, 4> monitor_drivers{"ina3221", "ina3221x", "ina238", "ina2xx"};

template <class Names>
void read_all(const BoardSnapshot& board, const std::string& folder, const Names& names) {
  for (const auto& name : names) (void)board.read(folder + "/" + std::string(name));
}

std::vector<std::string> names_in(const BoardSnapshot& board, const std::string& folder, std::string_view start) {
  auto names = board.list(folder).value_or(std::vector<std::string>{});
  std::erase_if(names, [&](const std::string& name) { return name.compare(0, start.size(), start) != 0; });
  return names;
}

void look_around_gpu(const BoardSnapshot& board, const GpuNode& gpu) {
  read_all(board, gpu.device_dir, gpu_files);
  for (const auto link : gpu_links) (void)board.exists(gpu.device_dir + "/" + std::string(link));
  for (const auto alias : aliases) (void)board.exists(std::string(alias));
  const std::string knobs = gpu.devfreq_dir + "/nvhost_podgov";
  read_all(board, knobs, names_in(board, knobs, ""));
}

void look_at_devfreq(const BoardSnapshot& board) {
  const std::string folder = "/sys/class/devfreq";
  for (const std::string& node : names_in(board, folder, "")) {
    read_all(board, folder + "/" + node, devfreq_files);
    (void)board.read(folder + "/" + node + "/device/of_node/name");
  }
}

// Channels of a monitor: every file of its hwmon or IIO folder, all of them registers of a small chip.
void look_at_monitor(const BoardSnapshot& board, const std::string& device) {
  read_all(board, device, std::array<std::string_view, 2>{"name", "uevent"});
  for (const std::string& folder : names_in(board, device, "iio:device"))
    read_all(board, device + "/" + folder, names_in(board, device + "/" + folder, ""));
  for (const std::string& folder : names_in(board, device + "/hwmon", "hwmon")) {
    const std::string hwmon = device + "/hwmon/" + folder;
    read_all(board, hwmon, names_in(board, hwmon, ""));
  }
}

void look_at_monitors(const BoardSnapshot& board) {
  for (const auto driver : monitor_drivers) {
    const std::string folder = "/sys/bus/i2c/drivers/" + std::string(driver);
    for (const std::string& device : names_in(board, folder, "")) {
      if (device.find('-') != std::string::npos) look_at_monitor(board, folder + "/" + device);
    }
  }
}

void look_at_thermal(const BoardSnapshot& board) {
  const std::string folder = "/sys/class/thermal";
  for (const std::string& zone : names_in(board, folder, "thermal_zone"))
    read_all(board, folder + "/" + zone, std::array<std::string_view, 2>{"type", "temp"});
  for (const std::string& device : names_in(board, folder, "cooling_device"))
    read_all(board, folder + "/" + device, std::array<std::string_view, 3>{"type", "cur_state", "max_state"});
}

/// What people write into nvpmodel's configuration for each other is nobody else's.
std::string without_comments(const std::string& text) {
  std::string kept;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t start = text.find_first_not_of(" \t", at);
    if (start < end && text[start] != '#') kept += (kept.empty() ? "" : "\n") + text.substr(at, end - at);
    at = end + 1;
  }
  return kept;
}

bool is_kernels(const std::string& path) {
  return path.compare(0, 5, "/sys/") == 0 || path.compare(0, 6, "/proc/") == 0;
}

/// A path that the text form cannot hold; none is known.
bool is_plain(const std::string& path) {
  return std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c <= '~'; });
}

struct Scrubbers {
  Anonymiser ids;    // of what the kernel says
  Anonymiser names;  // of what people wrote, besides: a host called "gpu" must not break a path
};

Recording anonymised(const Recording& seen, Scrubbers& scrub) {
  Recording clean;
  for (const auto& [path, entry] : seen) {
    if (!is_plain(path)) continue;
    RecordedEntry copy = entry;
    if (!is_kernels(path) && entry.kind == RecordedEntry::Kind::file)
      copy.text =
          scrub.names.scrubbed(path.find("nvpmodel") == std::string::npos ? copy.text : without_comments(copy.text));
    copy.text = scrub.ids.scrubbed(copy.text);
    clean[scrub.ids.scrubbed(path)] = std::move(copy);
  }
  return clean;
}

std::vector<std::string> unreadable_in(const Recording& files) {
  std::vector<std::string> names;
  for (const auto& [path, entry] : files) {
    if (entry.code != 0) names.push_back(path + ": " + errno_word(entry.code));
  }
  return names;
}

std::string folder_name(const BoardIdentity& identity) {
  std::string name = identity.id.empty() ? "board" : identity.id;
  if (!identity.l4t.empty()) name += "-l4t-" + identity.l4t;
  for (char& c : name) {
    const bool fine = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
                      c == '-' || c == '.' || c == '_';
    if (!fine) c = '_';
  }
  return name;
}

}  // namespace

Result<RecordedBoard> record_board(const FileAttributes& board) {
  const BoardSnapshot snapshot(board);
  const std::string discovery = discovery_text(snapshot);
  const BoardIdentity identity = identify_board(snapshot);
  const auto gpu = find_gpu(snapshot, identity);
  if (!gpu && identity.soc.empty())
    return failure("this is no Jetson: the device tree names no Tegra, and " + gpu.error().message, ENODEV);
  if (gpu) look_around_gpu(snapshot, *gpu);
  (void)snapshot.read("/etc/nvpmodel.conf");
  look_at_devfreq(snapshot);
  look_at_monitors(snapshot);
  look_at_thermal(snapshot);

  Scrubbers scrub{Anonymiser(serial_numbers(board)), Anonymiser(host_names(board))};
  RecordedBoard recorded{.name = scrub.ids.scrubbed(folder_name(identity)),
                         .files = anonymised(snapshot.seen(), scrub),
                         .discovery = scrub.ids.scrubbed(discovery),
                         .secrets = 0,
                         .unreadable = {},
                         .has_gpu = gpu.has_value()};
  recorded.unreadable = unreadable_in(recorded.files);
  recorded.secrets = scrub.ids.replaced() + scrub.names.replaced();
  return recorded;
}

}  // namespace sweetspot
