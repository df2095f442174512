// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>

#include "simulator/machine.hpp"

namespace sweetspot {

namespace {

std::string padded_mode(int id) {
  const std::string digits = std::to_string(id);
  return "pmode:" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits + "\n";
}

}  // namespace

void Machine::add_firmware() {
  const std::string base = "/sys/firmware/devicetree/base";
  std::string compatible;
  for (const auto& entry : board_.compatible) compatible += entry + std::string(1, '\0');
  tree_.add_bytes(base + "/model", board_.model + std::string(1, '\0'));
  tree_.add_bytes(base + "/compatible", compatible);
  tree_.add_text("/etc/nv_tegra_release", board_.release);
}

// mode N: GPU MIN_FREQ and MAX_FREQ as nvpmodel's configuration writes them; CPU, EMC and DLA lines are left out.
void Machine::add_nvpmodel() {
  std::string conf = "# Power modes of this simulated board\n";
  for (const auto& mode : board_.modes) {
    const std::string cap = mode.gpu_cap_hz == 0 ? "-1" : std::to_string(mode.gpu_cap_hz);
    conf += "\n< POWER_MODEL ID=" + std::to_string(mode.id) + " NAME=" + mode.name +
            " >\nTPC_POWER_GATING TPC_PG_MASK " + std::to_string(mode.tpc_mask) + "\nGPU MIN_FREQ 0\nGPU MAX_FREQ " +
            cap + "\n";
  }
  conf += "\n# Mandatory section to configure the default power mode\n< PM_CONFIG DEFAULT=" +
          std::to_string(board_.configured_mode) + " >\n";
  tree_.add_bytes("/etc/nvpmodel.conf", conf);
  tree_.add_attribute("/var/lib/nvpmodel/status", read_only, plain([this] { return padded_mode(power_mode_); }));
}

void Machine::add_thermal() {
  const bool modern = board_.thermal_prefix_style == "cpu-thermal";
  const std::vector<std::string> zones =
      modern ? std::vector<std::string>{"cpu-thermal", "gpu-thermal", "soc0-thermal", "tj-thermal"}
             : std::vector<std::string>{"CPU-therm", "GPU-therm", "AO-therm", "Tboard_tegra"};
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const std::string path = "/sys/devices/virtual/thermal/thermal_zone" + std::to_string(i);
    tree_.add_text(path + "/type", zones[i]);
    const bool gpu = i == 1;
    tree_.add_attribute(path + "/temp", read_only, [this, gpu](const Opening&) -> Shown {
      if (gpu && !plant_.powered()) return tl::unexpected<int>(EAGAIN);  // the sensor sits in the gated partition
      const double degrees = 42 + 0.5 * (plant_.power().gpu + plant_.power().cpu);
      return std::to_string(static_cast<int>(degrees * 1000)) + "\n";
    });
    tree_.add_link("/sys/class/thermal/thermal_zone" + std::to_string(i), path);
  }
  const auto cooling = [&](int number, const std::string& type, const std::string& most, Show state) {
    const std::string path = "/sys/devices/virtual/thermal/cooling_device" + std::to_string(number);
    tree_.add_text(path + "/type", type);
    tree_.add_text(path + "/max_state", most);
    tree_.add_attribute(path + "/cur_state", read_only, std::move(state));
    tree_.add_link("/sys/class/thermal/cooling_device" + std::to_string(number), path);
  };
  cooling(0, "pwm-fan", "3", plain([] { return "1\n"; }));
  const bool old = board_.kernel == DevfreqModel::Kernel::v4_9;
  cooling(1, old ? "thermal-devfreq-0" : "devfreq-" + board_.gpu.node.name,
          std::to_string(board_.gpu.node.clocks.size() - 1),
          plain([this] { return std::to_string(cooling_state_) + "\n"; }));
}

// What discovery must not take for a power rail.
void Machine::add_other_hwmon() {
  if (board_.kernel == DevfreqModel::Kernel::v4_9) return;
  constexpr int oc_number = 5;
  constexpr int ucsi_number = 6;
  const std::string oc = "/sys/devices/platform/soctherm-oc-event";
  add_hwmon(oc, "soctherm_oc", oc_number);
  for (int i = 1; i <= 3; ++i) {
    const std::string name = oc + "/hwmon/hwmon" + std::to_string(oc_number) + "/oc" + std::to_string(i);
    tree_.add_text(name + "_throt_en", "1");
    tree_.add_attribute(name + "_event_cnt", read_only,
                        plain([this, i] { return std::to_string(oc_events_[i]) + "\n"; }));
  }
  const std::string ucsi = "/sys/devices/platform/bus@0/c240000.i2c/i2c-1/1-0008/typec/port0";
  add_hwmon(ucsi, "ucsi_source_psy_ucsi_ccg1", ucsi_number);
  const std::string path = ucsi + "/hwmon/hwmon" + std::to_string(ucsi_number);
  for (const auto& [file, value] : {std::pair{"in0_input", "5000"},
                                    {"in0_min", "5000"},
                                    {"in0_max", "5000"},
                                    {"curr1_input", "3000"},
                                    {"curr1_max", "3000"}}) {
    tree_.add_text(path + "/" + file, value);
  }
}

void Machine::add_root_files() {
  constexpr mode_t for_all = 0666;
  tree_.add_attribute(
      "/control", for_all, [this](const Opening& opening) -> Shown { return control_text(opening); },
      [this](std::string_view text, const Opening& opening) {
        while (!text.empty()) {
          const auto end = std::min(text.find('\n'), text.size());
          if (end > 0 && !control(text.substr(0, end), opening)) return EINVAL;
          text.remove_prefix(std::min(end + 1, text.size()));
        }
        return 0;
      });
  tree_.add_attribute("/accesses", read_only, plain([this] { return ledger_.accesses_text(); }));
  tree_.add_attribute("/writes", read_only, plain([this] { return ledger_.writes_text(); }));
  tree_.add_attribute("/truth", read_only, plain([this] { return truth(); }));
}

std::string Machine::control_text(const Opening& opening) const {
  if (const auto own = load_of_opening_.find(opening.id); own != load_of_opening_.end()) {
    const LoadProgress progress = plant_.progress(own->second);
    char text[100];
    std::snprintf(text, sizeof text, "%.6f %.6f %s\n", progress.steps, progress.total,
                  progress.running ? "running" : "done");
    return text;
  }
  return "last-error: " + (last_error_.empty() ? "none" : last_error_) + "\n" + ledger_.accesses_text();
}

}  // namespace sweetspot
