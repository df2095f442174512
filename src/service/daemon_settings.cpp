// SPDX-License-Identifier: Apache-2.0
#include "service/daemon.hpp"
#include "service/log.hpp"
#include "service/version.hpp"

// What the configuration means to those who do the work.
namespace sweetspot {

ClockSettings Daemon::clock_settings() const {
  return {.pin_style = config_.clock.pin_style,
          .gpu_node = config_.clock.gpu_node,
          .check_period = config_.clock.check_period,
          .attempts = config_.clock.attempts,
          .repins_per_minute = config_.clock.repins_per_minute,
          .dry_run = places_.dry_run};
}

SamplerSettings Daemon::sampler_settings() const {
  return {.period = config_.sampling.period,
          .longest_step = config_.sampling.longest_step,
          .rest_after = config_.clock.relax_after};
}

void Daemon::use_governor_settings() {
  GovernorSettings settings = config_.governor;
  settings.setup =
      "pin " + std::string(config_.clock.pin_style == PinStyle::cap ? "cap" : "exact") + ", sweetspotd " + version_text;
  governor_.reconfigure(std::move(settings));
}

/// What cannot be read is left alone, and jobs start where the tree says.
void Daemon::load_profiles() {
  auto book = config_.governor.adaptive.learning ? profiles_.load() : ProfileBook{};
  if (!book) log_warning("what jobs learned cannot be used: " + book.error().message);
  governor_.know(book ? *std::move(book) : ProfileBook{});
}

}  // namespace sweetspot
