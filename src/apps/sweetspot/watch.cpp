// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/watch.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "sweetspot/client/human_text.hpp"

namespace sweetspot {
namespace {

constexpr Duration status_period = seconds(1);

/// Hides the cursor while a live view is drawn, and brings it back however that ends.
class HiddenCursor {
 public:
  explicit HiddenCursor(bool on_terminal) : on_terminal_(on_terminal) { put("\x1b[?25l"); }
  HiddenCursor(const HiddenCursor&) = delete;
  HiddenCursor& operator=(const HiddenCursor&) = delete;
  ~HiddenCursor() { put("\x1b[?25h"); }

 private:
  void put(const char* code) const {
    if (!on_terminal_) return;
    std::fputs(code, stdout);
    std::fflush(stdout);
  }
  bool on_terminal_;
};

bool stop_asked(SignalFeed& signals) {
  return signals.next().has_value();
}

}  // namespace

WatchCommand::WatchCommand(Program& program) : program_(program) {
  CLI::App& command = program.add_command("watch", "Follows samples and events until Ctrl-C",
                                          "  sweetspot watch\n"
                                          "  sweetspot watch --period 100ms | tee samples.txt\n"
                                          "  sweetspot watch --json     (one JSON document per line and event)",
                                          [this] { return run(); });
  command.add_option("--period", period_text_, "Time between samples; 1 s unless given")->type_name("TIME");
}

int WatchCommand::run() {
  const auto period = parse_duration(period_text_.empty() ? "1s" : period_text_);
  if (!period) return usage_error("--period: " + period.error().message, "watch");
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(*period).count();
  if (milliseconds < 1) return usage_error("--period: expected at least 1ms", "watch");
  on_terminal_ = !program_.json && ::isatty(STDOUT_FILENO) == 1;

  auto signals = SignalFeed::open({SIGINT, SIGTERM, SIGHUP});
  if (!signals) return fail_with(signals.error());
  auto stream = EventStream::open(program_.socket_path(), milliseconds, ClientTimeouts{}.connect);
  if (!stream) return fail_with(stream.error());
  const HiddenCursor hidden(on_terminal_);
  return follow(*stream, *signals);
}

int WatchCommand::follow(EventStream& stream, SignalFeed& signals) {
  while (true) {
    const auto more = take_events(stream);
    if (!more) return fail_with(more.error());
    if (!*more) return ExitCode::failure;
    if (on_terminal_) redraw();
    std::array<pollfd, 2> waiting{pollfd{stream.fd(), POLLIN, 0}, pollfd{signals.fd(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), on_terminal_ ? 1000 : -1);
    if (stop_asked(signals)) return ExitCode::ok;
  }
}

Result<bool> WatchCommand::take_events(EventStream& stream) {
  while (true) {
    auto json = stream.next_now();
    if (!json) return failure(std::move(json.error()));
    if (!*json) return true;
    if (!take(**json)) return false;
  }
}

bool WatchCommand::take(const std::string& json) {
  if (program_.json) return print(json + "\n") == ExitCode::ok;
  const auto event = parse_watch_event(json);
  // One event that makes no sense does not end a watch.
  if (!event) return true;
  if (!first_at_) first_at_ = event->at;
  const Duration since_start = event->at - *first_at_;
  if (!on_terminal_) return print(event_line(*event, since_start) + "\n") == ExitCode::ok;
  if (!std::holds_alternative<WatchSample>(event->what)) next_status_ = {};
  view_.show(*event, since_start);
  return true;
}

void WatchCommand::redraw() {
  const Instant now = std::chrono::steady_clock::now();
  if (now >= next_status_) {
    next_status_ = now + status_period;
    if (!status_client_) {
      if (auto client = GovernorClient::connect(program_.socket_path())) status_client_.emplace(std::move(*client));
    }
    if (status_client_) {
      auto report = status_client_->status();
      if (report) view_.show(std::move(*report));
      if (!report) status_client_.reset();
    }
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  const Repaint painted = repaint(view_.frame(), height_, size.ws_col, size.ws_row);
  height_ = painted.height;
  static_cast<void>(print(painted.bytes));
}

}  // namespace sweetspot
