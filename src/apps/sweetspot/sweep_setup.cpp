// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cmath>

#include "apps/sweetspot/run.hpp"
#include "apps/sweetspot/sweep.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/client/known_boards.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

constexpr double rounding_of_people = 1e-3;

std::string list_text(const std::vector<Hertz>& clocks) {
  std::string text;
  for (const Hertz clock : clocks) text += (text.empty() ? "" : ", ") + to_text(clock);
  return text;
}

/// Letters and digits, in small letters, and one dash for everything between them.
std::string one_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.') {
      word += c;
    } else if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

Result<Hertz> entry_of(const std::string& asked, const std::vector<Hertz>& table) {
  const auto clock = parse_frequency(asked);
  if (!clock) return failure("--frequencies: " + clock.error().message, EINVAL);
  for (const Hertz entry : table) {
    const double apart = std::abs(in_megahertz(entry) - in_megahertz(*clock));
    if (apart <= rounding_of_people * in_megahertz(entry)) return entry;
  }
  return failure("--frequencies: expected clocks of this board (" + list_text(table) + "), not " + to_text(*clock),
                 EINVAL);
}

std::string hash_of(const std::vector<std::string>& command) {
  std::string joined;
  for (const std::string& word : command) joined += word + '\0';
  return data_hash(joined);
}

}  // namespace

Result<std::vector<Hertz>> clocks_to_sweep(const std::vector<std::string>& asked, const StatusReport::Gpu& gpu) {
  const auto above_cap = [&gpu](Hertz clock) { return gpu.max && clock > *gpu.max; };
  std::vector<Hertz> clocks;
  if (asked.empty() || asked == std::vector<std::string>{"all"}) {
    std::remove_copy_if(gpu.available.begin(), gpu.available.end(), std::back_inserter(clocks), above_cap);
    return clocks;
  }
  for (const std::string& text : asked) {
    const auto clock = entry_of(text, gpu.available);
    if (!clock) return failure(clock.error());
    if (above_cap(*clock))
      return failure("--frequencies: " + to_text(*clock) + " lies above the board's present limit of " +
                         to_text(*gpu.max) + "; choose another power mode or fewer clocks",
                     EINVAL);
    if (std::find(clocks.begin(), clocks.end(), *clock) == clocks.end()) clocks.push_back(*clock);
  }
  return clocks;
}

std::string platform_of(const StatusReport& status) {
  for (const KnownBoard& board : known_boards()) {
    if (std::equal(board.clocks.begin(), board.clocks.end(), status.gpu.available.begin(), status.gpu.available.end()))
      return std::string(board.id.substr(0, board.id.rfind("-jp")));
  }
  return one_word(status.board.model.value_or("unknown board"));
}

SweepCurve curve_of(const JobSpec& job, const StatusReport& status, const std::vector<std::string>& command,
                    const std::string& source) {
  SweepCurve curve{.platform = platform_of(status),
                   .job = job,
                   .power_mode = status.power_mode.value_or(""),
                   .source = source,
                   .command = hash_of(command)};
  if (!curve.job.name) curve.job.name = name_of_command(command);
  curve.id = curve.platform + "-" + one_word(*curve.job.name);
  if (!curve.power_mode.empty()) curve.id += "-" + one_word(curve.power_mode);
  for (const StatusReport::Rail& rail : status.rails) curve.rails.push_back(rail.name);
  return curve;
}

}  // namespace sweetspot
