// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/gpu_discovery.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

const std::string class_dir = "/sys/class/devfreq/";

/// nvgpu makes these links "for a stable path", whatever number or name the kernel gives the node.
constexpr std::array<std::string_view, 5> nvgpu_links{
    "/sys/devices/platform/17000000.gpu/devfreq_dev",  // JetPack 6 and 7 on Orin
    "/sys/devices/platform/gpu.0/devfreq_dev",         // JetPack 5 and 6
    "/sys/devices/17000000.ga10b/devfreq_dev",         // JetPack 5 on Orin
    "/sys/devices/17000000.gv11b/devfreq_dev",         // Xavier
    "/sys/devices/gpu.0/devfreq_dev",                  // JetPack 4 and 5
};

/// Names the device tree gives integrated GPUs: Nano and Orin since JetPack 6, TX2, Xavier, Orin with JetPack 5, its
/// successor.
constexpr std::array<std::string_view, 5> gpu_names{"gpu", "gp10b", "gv11b", "ga10b", "gb10b"};

bool is_gpu_name(std::string_view name) {
  return std::find(gpu_names.begin(), gpu_names.end(), name) != gpu_names.end();
}

bool all_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// "17000000.gpu" (address and a GPU's name) or Thor's "gpu-gpc-0"; not "gpu-nvd-0", which is its video engines.
bool is_gpu_node_name(std::string_view name) {
  constexpr std::string_view thor = "gpu-gpc-";
  if (name.substr(0, thor.size()) == thor) return all_of(name.substr(thor.size()), "0123456789");
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && all_of(name.substr(0, dot), "0123456789abcdef") &&
         is_gpu_name(name.substr(dot + 1));
}

std::string_view until_nul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

bool looks_like_gpu(const Attributes& board, const std::string& entry) {
  if (is_gpu_node_name(entry)) return true;
  const auto tree_name = board.read(class_dir + entry + "/device/of_node/name");
  return tree_name && is_gpu_name(until_nul(*tree_name));
}

std::string parent_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}
std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string device_of(const Attributes& board, const std::string& devfreq_dir) {
  if (const auto device = board.real_path(devfreq_dir + "/device")) return *device;
  return parent_of(parent_of(devfreq_dir));
}

std::optional<std::string> if_readable(const Attributes& board, std::string path) {
  if (!board.read(path)) return std::nullopt;
  return path;
}

std::optional<std::string> find_load(const Attributes& board, const std::string& device_dir) {
  if (auto own = if_readable(board, device_dir + "/load")) return own;
  for (const char* alias : {"/sys/devices/platform/gpu.0", "/sys/devices/gpu.0"}) {
    const auto device = board.real_path(alias);
    if (device && *device != device_dir) {
      if (auto load = if_readable(board, *device + "/load")) return load;
    }
  }
  return std::nullopt;
}

/// Thor with JetPack 7.2 (L4T 39) or with a release that cannot be told.
bool limits_may_hang(const BoardIdentity& identity) {
  return identity.is_thor && identity.l4t.compare(0, 3, "38.") != 0;
}

Result<GpuNode> accept(const Attributes& board, const BoardIdentity& identity, const std::string& path) {
  const auto real = board.real_path(path);
  if (!real) return tl::unexpected(real.error());
  const auto frequencies = board.read(*real + "/available_frequencies");
  if (!frequencies) return tl::unexpected(frequencies.error());
  auto clocks = parse_clock_list(*frequencies);
  if (!clocks) return failure(std::move(clocks.error()).within(*real + "/available_frequencies"));
  auto table = FrequencyTable::from(std::move(*clocks));
  if (!table) return failure(std::move(table.error()).within(*real + "/available_frequencies"));
  for (const char* file : {"/min_freq", "/max_freq", "/governor"}) {
    const auto text = board.read(*real + file);
    if (!text) return tl::unexpected(text.error());
  }
  const std::string device = device_of(board, *real);
  return GpuNode{.name = last_part(*real),
                 .devfreq_dir = *real,
                 .device_dir = device,
                 .table = std::move(*table),
                 .load_file = find_load(board, device),
                 .railgate_file = if_readable(board, device + "/is_railgated"),
                 .limits_may_hang = limits_may_hang(identity)};
}

std::vector<std::string> candidates(const Attributes& board, std::string& looked_at) {
  std::vector<std::string> paths;
  for (const std::string_view link : nvgpu_links) {
    if (board.exists(std::string(link))) paths.emplace_back(link);
  }
  const auto entries = board.list(class_dir);
  if (!entries) {
    looked_at = entries.error().message;
    return paths;
  }
  std::string others;
  for (const std::string& entry : *entries) {
    if (looks_like_gpu(board, entry)) {
      paths.push_back(class_dir + entry);
    } else {
      others += (others.empty() ? "" : ", ") + entry;
    }
  }
  looked_at =
      "no devfreq_dev link of nvgpu, and /sys/class/devfreq holds " + (others.empty() ? "nothing" : "only " + others);
  return paths;
}

}  // namespace

Result<GpuNode> find_gpu(const Attributes& board, const BoardIdentity& identity,
                         const std::optional<std::string>& configured_path) {
  if (configured_path) {
    auto node = accept(board, identity, *configured_path);
    if (!node) return failure(std::move(node.error()).within("GPU not ready at the configured path"));
    return node;
  }
  std::string looked_at;
  std::string refused;
  int code = 0;
  for (const std::string& path : candidates(board, looked_at)) {
    auto node = accept(board, identity, path);
    if (node) return node;
    refused += (refused.empty() ? "" : "; ") + node.error().message;
    code = node.error().code;
  }
  return failure("GPU not ready: " + (refused.empty() ? looked_at : refused), code);
}

Result<std::string> find_gpu_folder(const Attributes& board, const std::optional<std::string>& configured_path) {
  auto node = find_gpu(board, {}, configured_path);
  if (node) return std::move(node->devfreq_dir);
  std::string looked_at;
  const auto paths = configured_path ? std::vector<std::string>{*configured_path} : candidates(board, looked_at);
  for (const std::string& path : paths) {
    if (auto real = board.real_path(path)) return real;
  }
  return failure(std::move(node.error()));
}

}  // namespace sweetspot
