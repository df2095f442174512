// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sweetspot {

/// One line of DIR/writes.
struct SimulatedWrite {
  std::string path;  ///< "/sys/devices/…/min_freq"
  std::string value;
  std::string error;  ///< "ok" or an errno's name
  std::string program;
  friend bool operator==(const SimulatedWrite&, const SimulatedWrite&) = default;
};

/// A board mounted in a temporary directory by the built sweetspot-sim, for the lifetime of this object; unmounted even
/// when the simulator died or was killed. Call `unavailable()` first:
///   if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
/// The constructor throws std::runtime_error with the simulator's own words when the mount fails. Not thread-safe, but
/// its const members may be called from several threads.
class SimulatedBoard {
 public:
  explicit SimulatedBoard(const std::string& board = "agx-orin-64-jp6", const std::vector<std::string>& arguments = {});
  ~SimulatedBoard();
  SimulatedBoard(const SimulatedBoard&) = delete;
  SimulatedBoard& operator=(const SimulatedBoard&) = delete;

  /// Why boards cannot be mounted here; empty when they can.
  [[nodiscard]] static std::optional<std::string> unavailable();
  /// The program under test and its siblings: path of the built sweetspot-sim.
  [[nodiscard]] static std::string program();

  /// For --sysfs-root.
  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Sends one control line; throws std::runtime_error with the board's reason when it is refused.
  void control(const std::string& line) const;
  /// Content without the final newline; throws std::system_error with the errno. Paths are from the root: "sys/…".
  [[nodiscard]] std::string read(const std::string& path) const;
  /// errno of one write(2) of `text`, 0 = accepted; open(2) failing counts too.
  [[nodiscard]] int write(const std::string& path, const std::string& text) const;
  /// errno of open + read, 0 = readable.
  [[nodiscard]] int read_error(const std::string& path) const;

  /// A file of the GPU's devfreq node: gpu("min_freq") -> "sys/class/devfreq/<node>/min_freq".
  [[nodiscard]] std::string gpu(const std::string& file) const;
  [[nodiscard]] std::vector<SimulatedWrite> writes() const;
  /// Accesses below sys of processes with that comm since the mount, `kill-at` or `accesses restart`.
  [[nodiscard]] std::uint64_t accesses(const std::string& comm) const;
  /// time_s, clock_hz, target_hz, powered, load, power_w{rail}, energy_j{rail} since the mount, and loads[]: workload,
  /// steps, total, running, busy_s, energy_j{rail} of each load so far.
  [[nodiscard]] nlohmann::json truth() const;

  /// Ends the simulator and the mount now; also what the destructor does.
  void unmount();

 private:
  void wait_until_ready(int output) const;

  std::string base_;
  std::string root_;
  pid_t pid_ = -1;
};

}  // namespace sweetspot
