// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "sweetspot/core/adaptive_policy.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr double doubt_worth_saying = 0.5;

std::string name_of_arm(const std::optional<Hertz>& clock) {
  return clock ? to_text(*clock) : "not pinned";
}

std::string per_cent(double share) {
  return fixed_text(100 * share, 1) + " %";
}

/// Three digits, which is more than the measurement has.
std::string joules_text(double joules) {
  const int decimals = joules >= 100 ? 0 : joules >= 10 ? 1 : joules >= 1 ? 2 : 3;
  return fixed_text(joules, decimals);
}

std::string use_text(const ArmUse& use, double deviation, Least least) {
  const char* const unit = least == Least::energy_delay ? " J\u00b7s/step" : " J/step";
  return name_of_arm(use.clock) + " " + joules_text(std::exp(use.log_sum / use.measured_steps)) + unit + " \u00b1 " +
         per_cent(deviation) + " over " + fixed_text(use.measured_steps, 0) + " steps";
}

}  // namespace

std::string AdaptivePolicy::reason() const {
  std::string tried;
  for (std::size_t arm = 0; arm < uses_.size(); ++arm) {
    if (uses_[arm].measured_steps <= 0) continue;
    tried += (tried.empty() ? "measured: " : ", ") +
             use_text(uses_[arm], std::sqrt(belief_.variance(arm)), settings_.aim.least);
  }
  if (tried.empty())
    return "starts at " + name_of_arm(arms_.clock(start_)) +
           ", nothing measured yet: it goes by joules per step, so the job has to report its steps";
  std::string text = tried + "; ";
  if (uses_[arm_].measured_steps <= 0) {
    text += "tries " + name_of_arm(goal());
  } else if (arm_ == start_) {
    text += "stays at " + name_of_arm(goal()) + ": no other clock is expected to repay trying it";
  } else {
    const double more = std::expm1(belief_.mean(arm_) - belief_.mean(start_));
    text += "runs at " + name_of_arm(goal()) + ", expected to cost " + per_cent(std::abs(more)) + " \u00b1 " +
            per_cent(std::sqrt(belief_.variance_between(arm_, start_))) + (more > 0 ? " more than " : " less than ") +
            name_of_arm(arms_.clock(start_)) + ", where it started; no other clock is expected to repay trying it";
  }
  if (belief_.doubt_in_form() > doubt_worth_saying)
    text += "; the physical form does not fit this board, so only its measurements count";
  if (drifts_ > 0) text += "; the job's cost changed " + std::to_string(drifts_) + " times, and was looked for anew";
  if (const auto missed = shortfall()) text += "; " + *missed;
  return text;
}

}  // namespace sweetspot
