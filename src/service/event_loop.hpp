// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemd/sd-event.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// sd-event with lifetimes: a source lives as long as its Source object and calls its handler on the loop's thread
/// only. A handler may destroy its own Source.
class EventLoop {
 public:
  /// One registered event source. Moving it is fine; destroying it unregisters it.
  class Source {
   public:
    Source() = default;
    [[nodiscard]] explicit operator bool() const { return state_ != nullptr; }
    /// I/O sources: the epoll events waited for; 0 leaves only hang-up and error.
    void watch(std::uint32_t events);
    void enable(bool on);
    /// Timers: fire once at `when`.
    void arm(Instant when);
    void disarm() { enable(false); }
    /// Deferred sources: the handler runs once, behind everything that waits now. Said twice before that, once.
    void defer();

   private:
    friend class EventLoop;
    struct State;
    struct Release {
      void operator()(State* state) const;
    };
    std::unique_ptr<State, Release> state_;
  };

  [[nodiscard]] static Result<EventLoop> create();

  [[nodiscard]] Result<Source> add_io(int fd, std::uint32_t events, const char* name,
                                      std::function<void(std::uint32_t)> handler);
  /// Off until arm().
  [[nodiscard]] Result<Source> add_timer(const char* name, std::function<void()> handler);
  /// Runs when it is told to defer().
  [[nodiscard]] Source deferred(std::function<void()> handler);
  /// The signal is blocked for the process and handled here.
  [[nodiscard]] Result<Source> add_signal(int signal, const char* name, std::function<void()> handler);
  /// Pings systemd's watchdog where the unit asks for it.
  void follow_watchdog();

  /// Until stop(); its exit code.
  [[nodiscard]] int run();
  void stop(int exit_code);
  [[nodiscard]] static Instant now();

 private:
  struct Unref {
    void operator()(sd_event* loop) const { sd_event_unref(loop); }
  };
  explicit EventLoop(sd_event* loop) : loop_(loop) {}
  std::unique_ptr<sd_event, Unref> loop_;
};

}  // namespace sweetspot
