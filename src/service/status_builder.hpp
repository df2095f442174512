// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "service/clock_keeper.hpp"
#include "service/sampler.hpp"
#include "sweetspot/core/governor.hpp"
#include "sweetspot/wire/config.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

struct StatusSources {
  const Governor& governor;
  const ClockView& clock;
  const Sampler::News& sampler;
  const Config& config;
  Instant now;
  Instant began;
  std::size_t connections = 0;
  std::size_t watchers = 0;
  std::int64_t oneway_errors = 0;
};

/// Everything `sweetspot status` shows, from what the daemon knows at the moment; asks the board nothing.
[[nodiscard]] StatusReport build_status(const StatusSources& from);

}  // namespace sweetspot
