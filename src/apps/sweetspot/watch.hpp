// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/signal_feed.hpp"
#include "apps/sweetspot/watch_view.hpp"
#include "sweetspot/client/event_stream.hpp"
#include "sweetspot/client/governor_client.hpp"

namespace sweetspot {

/// `sweetspot watch`: samples and events until Ctrl-C (exit 0). On a terminal it redraws in place; into a pipe it
/// writes one line per event, JSON with --json.
class WatchCommand {
 public:
  explicit WatchCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] int follow(EventStream& stream, SignalFeed& signals);
  /// Takes everything that is here; false in `more`: output is gone.
  [[nodiscard]] Result<bool> take_events(EventStream& stream);
  [[nodiscard]] bool take(const std::string& json);
  void redraw();

  Program& program_;
  std::string period_text_;
  bool on_terminal_ = false;
  std::optional<Duration> first_at_;
  WatchView view_;
  std::optional<GovernorClient> status_client_;  ///< a second connection: Watch keeps its own busy
  Instant next_status_{};
  std::size_t height_ = 0;
};

}  // namespace sweetspot
