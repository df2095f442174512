// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/spec_options.hpp"
#include "sweetspot/analysis/sweep_file.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

class SweepState;

/// `sweetspot sweep … -- CMD…`: CMD once per clock, through the daemon, into a file of measured curves.
class SweepCommand {
 public:
  explicit SweepCommand(Program& program);

 private:
  struct Pauses {
    Duration settle{0};
    Duration cooldown{0};
    std::optional<double> top_time_s;
  };
  /// What is to be swept on the board the daemon governs.
  struct Board {
    SweepCurve curve;
    std::vector<SweepPoint> plan;
    SweepPace pace;
  };
  [[nodiscard]] int run();
  [[nodiscard]] Result<Pauses> pauses() const;
  [[nodiscard]] int show_plan(const Board& board) const;
  [[nodiscard]] int sweep(const Board& board, const Pauses& times) const;
  [[nodiscard]] int show_result(const SweepState& state) const;

  Program& program_;
  SpecOptions options_;
  std::vector<std::string> frequencies_;
  bool baseline_ = false;
  bool dry_run_ = false;
  bool append_ = false;
  std::size_t repeats_ = 1;
  std::size_t retries_ = 1;
  std::uint64_t seed_ = 1;
  std::string cooldown_ = "10s";
  std::string settle_ = "2s";  ///< as the paper's authors had it
  std::string run_time_;
  std::optional<double> max_celsius_;
  std::string output_ = "sweep.csv";
  std::string sysfs_root_;
  std::string source_ = "sweetspot sweep";
};

/// The clocks a sweep runs at: those of the list, each an entry of the board's table (people round them), or all up to
/// the cap of the power mode. Refuses (EINVAL) what is no entry and what lies above the cap.
[[nodiscard]] Result<std::vector<Hertz>> clocks_to_sweep(const std::vector<std::string>& asked,
                                                         const StatusReport::Gpu& gpu);

/// What curves call a board: "agx-orin-64" where its clocks are a known board's, else its model's name as one word.
[[nodiscard]] std::string platform_of(const StatusReport& status);

/// Everything that identifies the curve, from the job, the board and the command.
[[nodiscard]] SweepCurve curve_of(const JobSpec& job, const StatusReport& status,
                                  const std::vector<std::string>& command, const std::string& source);

}  // namespace sweetspot
