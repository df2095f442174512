// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// How a rail's power is read.
enum class RailKind {
  volts_times_amperes,  // mV × mA / 1e6 (ina3221 has no power file)
  milliwatts,           // IIO in_powerN_input (ina3221x)
  microwatts,           // hwmon powerN_input (ina238, ina2xx)
};

/// One measured supply rail: a labelled channel of a power monitor at a bus address.
struct RailSource {
  std::string label;   // as the board calls it, unique: where two devices use the same, "<bus>-<addr>/<label>"; where
                       // two channels of one device do, "<bus>-<addr>/<channel>/<label>"
  std::string device;  // "1-0040"
  RailKind kind = RailKind::volts_times_amperes;
  std::vector<std::string> files;  // voltage and current, or power; they hold hwmon numbers, which change

  friend bool operator==(const RailSource&, const RailSource&) = default;
};

struct RailLeftOut {
  std::string label;  // may be empty
  std::string device;
  std::string channel;  // "in1", "in_voltage0"
  std::string reason;

  friend bool operator==(const RailLeftOut&, const RailLeftOut&) = default;
};

struct RailsFound {
  std::vector<RailSource> rails;  // by bus, address, channel
  std::vector<RailLeftOut> left_out;
};

/// Finds rails on the devices bound to NVIDIA's and TI's monitor drivers (ina3221, ina3221x, ina238, ina2xx), never by
/// hwmon number: USB supplies look the same. Finds nothing on boards without a monitor and before the drivers are up:
/// look again.
[[nodiscard]] RailsFound find_rails(const Attributes& board);

/// Reads one rail through files kept open. Used by the sampler thread; reads take 0.5 ms to tens of ms of I2C time
/// each.
class RailReader {
 public:
  [[nodiscard]] static Result<RailReader> open(const Attributes& board, const RailSource& rail);
  /// Signed: one step below zero is a normal reading. After ENODEV or ENOENT the rail is found anew by device and
  /// label, once per call. Every error is a gap, never a zero.
  [[nodiscard]] Result<Watts> read();
  [[nodiscard]] const std::string& label() const { return rail_.label; }

 private:
  RailReader(const Attributes& board, RailSource rail) : board_(&board), rail_(std::move(rail)) {}
  [[nodiscard]] Result<void> open_files();
  [[nodiscard]] Result<void> find_again();
  [[nodiscard]] Result<Watts> read_files() const;

  const Attributes* board_;
  RailSource rail_;
  std::vector<std::unique_ptr<OpenAttribute>> files_;
};

}  // namespace sweetspot
