// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/learned_text.hpp"

#include <algorithm>
#include <cmath>

#include "apps/sweetspot/status_text.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t plot_columns = 25;

/// Three digits, which is more than a measurement has.
std::string three_digits(double value) {
  return fixed_text(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

struct Scale {
  double lowest;
  double highest;
  [[nodiscard]] std::size_t column(double value) const {
    if (!(highest > lowest)) return 0;
    const double share = std::clamp((value - lowest) / (highest - lowest), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(plot_columns - 1)));
  }
};

double low_end(const MeasuredClock& one) {
  return one.joules_per_step * (1 - one.uncertainty);
}
double high_end(const MeasuredClock& one) {
  return one.joules_per_step * (1 + one.uncertainty);
}

std::string bar(const MeasuredClock& one, const Scale& scale) {
  std::string line(plot_columns, ' ');
  for (std::size_t i = scale.column(low_end(one)); i <= scale.column(high_end(one)); ++i) line[i] = '-';
  line[scale.column(one.joules_per_step)] = '*';
  return "|" + line + "|";
}

}  // namespace

std::string measured_text(const MeasuredClock& one) {
  return three_digits(one.joules_per_step) + " J/step +- " + fixed_text(100 * one.uncertainty, 1) + " %, " +
         three_digits(one.seconds_per_step) + " s/step";
}

std::string curve_text(const std::vector<MeasuredClock>& measured, const std::optional<Hertz>& now,
                       const std::string& indent) {
  if (measured.empty()) return {};
  Scale scale{low_end(measured.front()), high_end(measured.front())};
  for (const MeasuredClock& one : measured) {
    scale.lowest = std::min(scale.lowest, low_end(one));
    scale.highest = std::max(scale.highest, high_end(one));
  }
  std::vector<std::vector<std::string>> rows;
  rows.reserve(measured.size());
  for (const MeasuredClock& one : measured)
    rows.push_back({one.clock ? to_text(*one.clock) : "no pin", three_digits(one.joules_per_step) + " J/step",
                    bar(one, scale), one.clock == now ? "<" : ""});
  return aligned(rows, indent);
}

std::string learned_text(const StatusReport::Job& job, const std::string& indent) {
  std::string text = indent + "job " + std::to_string(job.job_id) + ": " + printable(job.decision.reason) + "\n";
  if (job.measured) text += curve_text(*job.measured, job.decision.frequency, indent);
  return text;
}

}  // namespace sweetspot
