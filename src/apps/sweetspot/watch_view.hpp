// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "sweetspot/wire/status_report.hpp"
#include "sweetspot/wire/watch_event.hpp"

namespace sweetspot {

/// What `watch` shows on a terminal: the last status, the last sample over it, the last few events below. No terminal
/// codes in here but in repaint().
class WatchView {
 public:
  void show(StatusReport report);
  /// `since_start`: when it happened, counted from the watch's first event.
  void show(const WatchEvent& event, Duration since_start);
  [[nodiscard]] std::string frame() const;

 private:
  void overlay(const WatchSample& sample);

  std::optional<StatusReport> report_;
  std::deque<std::string> events_;
};

/// One event in one line: "12.3 s  clock_pinned  612 MHz".
[[nodiscard]] std::string event_line(const WatchEvent& event, Duration since_start);

/// The bytes that put `frame` where the last one of `last_height` lines is, cut to `columns` (0: not cut) and `rows`.
struct Repaint {
  std::string bytes;
  std::size_t height = 0;
};
[[nodiscard]] Repaint repaint(const std::string& frame, std::size_t last_height, std::size_t columns, std::size_t rows);

}  // namespace sweetspot
