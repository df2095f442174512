// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/access_ledger.hpp"
#include "simulator/attribute_tree.hpp"
#include "simulator/control_language.hpp"
#include "simulator/file_faults.hpp"
#include "simulator/plant.hpp"
#include "simulator/power_sensor.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

struct MachineOptions {
  PlantOptions plant;
  bool sensor_noise = true;
  std::optional<int> power_mode;  ///< empty: the uncapped one
  std::optional<Workload> background;
  uid_t uid = 0;  ///< owner of all files
  gid_t gid = 0;
};

/// A board with its files, faults and events: everything but the file system that carries it. Reads no clock: call
/// `advance` with the present before anything else. Single-threaded.
class Machine {
 public:
  Machine(Board board, MachineOptions options, Instant start);

  void advance(Instant now);

  [[nodiscard]] AttributeTree& tree() { return tree_; }
  [[nodiscard]] Plant& plant() { return plant_; }
  [[nodiscard]] AccessLedger& ledger() { return ledger_; }

  /// Content of an attribute, with its faults; ENODEV for one that is gone.
  [[nodiscard]] Shown show(NodeId id, const Opening& opening);
  /// One write; answers an errno. Writes below /sys are logged.
  [[nodiscard]] int store(NodeId id, std::string_view text, const Opening& opening);
  /// When a blocked or slow file lets an access through; empty: at once.
  [[nodiscard]] std::optional<Instant> held_until(NodeId id, AccessKind kind) const;
  void closed(const Opening& opening);

  /// One line of the control language.
  [[nodiscard]] Result<void> control(std::string_view text, const Opening& opening);

 private:
  struct Rail {
    std::string label;
    std::vector<std::string> files;
    RailParts parts;
  };

  void schedule(Duration after, std::function<void()> action);
  [[nodiscard]] Result<void> carry_out(const ControlLine& line, const Opening& opening);
  [[nodiscard]] Result<void> start_load(const ControlLine& line, const Opening& opening);
  [[nodiscard]] Result<void> file_fault(const ControlLine& line);
  [[nodiscard]] Result<void> gpu_event(const ControlLine& line);
  [[nodiscard]] Result<void> thermal_event(const ControlLine& line);
  [[nodiscard]] Result<void> rival_event(const ControlLine& line);
  [[nodiscard]] Result<void> sensor_fault(const ControlLine& line);
  [[nodiscard]] Result<void> ledger_event(const ControlLine& line);
  [[nodiscard]] Result<void> board_event(const ControlLine& line);
  [[nodiscard]] Result<void> change_power_mode(int id, const std::string& by);
  void rival_write(std::optional<std::string> min, std::optional<std::string> max);
  void write_limit(const std::string& file, const std::string& text, const std::string& by);
  void raise_cap_step_by_step(int steps_left, Duration every);
  void freeze(const std::string& path);
  [[nodiscard]] std::string file_path(const std::string& name) const;
  [[nodiscard]] Result<Rail> rail(const std::string& label) const;

  void add_root_files();
  void add_gpu();
  void add_gpu_device_files();
  void add_gating_files(const std::string& device);
  void remove_gpu();
  void add_devfreq(const DevfreqNode& node);
  void add_devfreq_limits(const std::string& path);
  void add_devfreq_governor(const std::string& path);
  void update_userspace_folder();
  void add_neighbour(const DevfreqNode& node);
  void add_device(const DevfreqNode& node, const std::string& driver);
  void add_monitors(int number_offset);
  void add_monitor(const PowerMonitor& monitor, int number);
  void add_ina3221(const PowerMonitor& monitor, const std::string& path);
  void add_ina3221_channel(const PowerMonitor& monitor, std::size_t index, const std::string& path);
  void add_ina3221_sum(const PowerMonitor& monitor, const std::string& path);
  void add_ina3221x(const PowerMonitor& monitor, const std::string& path);
  void add_ina238(const PowerMonitor& monitor, const std::string& path);
  void add_hwmon(const std::string& device, const std::string& name, int number);
  void add_other_hwmon();
  void add_thermal();
  void add_firmware();
  void add_nvpmodel();
  void add_copied_sensors();
  void add_copied_zone(const std::string& folder);
  void conform_to_copy(const std::string& below);
  void set_initial_limits();

  [[nodiscard]] Show rail_show(const PowerMonitor& monitor, std::size_t channel,
                               std::function<double(const RailReading&)> value) const;
  [[nodiscard]] Show plain(std::function<std::string()> text) const;
  [[nodiscard]] std::string trans_stat() const;
  [[nodiscard]] std::string truth() const;
  [[nodiscard]] std::string control_text(const Opening& opening) const;
  [[nodiscard]] std::string gpu_node_path() const;
  [[nodiscard]] std::string gpu_device_path() const;

  Board board_;
  MachineOptions options_;
  Instant start_;
  AttributeTree tree_;
  Plant plant_;
  FileFaults faults_;
  AccessLedger ledger_;
  std::multimap<Instant, std::function<void()>> events_;
  std::map<std::uint64_t, std::uint64_t> load_of_opening_;
  std::vector<Rail> rails_;
  std::map<std::string, std::string> values_;  ///< settings that only remember what was written, by path
  std::map<int, int> oc_events_;
  std::string last_error_;
  std::uint64_t rival_generation_ = 0;
  std::optional<Hertz> thermal_cap_;
  int cooling_state_ = 0;
  int power_mode_ = 0;
  int monitor_offset_ = 0;
  int samples_ = 1;
  bool gpu_present_ = true;
};

}  // namespace sweetspot
