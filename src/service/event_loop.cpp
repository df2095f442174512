// SPDX-License-Identifier: Apache-2.0
#include "service/event_loop.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "service/steady_now.hpp"

namespace sweetspot {
namespace {

tl::unexpected<Error> refused(const char* what, int negative_errno) {
  return failure(std::string(what) + ": " + std::strerror(-negative_errno), -negative_errno);
}

std::uint64_t in_microseconds(Instant when) {
  const auto since_boot = std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count();
  return since_boot < 0 ? 0 : static_cast<std::uint64_t>(since_boot) + 1;  // rounded up: never before `when`
}

// 0 would mean "within 250 ms".
constexpr std::uint64_t timer_accuracy_us = 1;

}  // namespace

struct EventLoop::Source::State {
  sd_event_source* source = nullptr;
  std::function<void(std::uint32_t)> handler;
  sd_event* loop = nullptr;  ///< of deferred sources
};

void EventLoop::Source::Release::operator()(State* state) const {
  if (state->source) sd_event_source_disable_unref(state->source);
  delete state;
}

void EventLoop::Source::watch(std::uint32_t events) {
  if (state_ && sd_event_source_set_io_events(state_->source, events) < 0) std::abort();
}

void EventLoop::Source::enable(bool on) {
  if (state_ && sd_event_source_set_enabled(state_->source, on ? SD_EVENT_ONESHOT : SD_EVENT_OFF) < 0) std::abort();
}

void EventLoop::Source::arm(Instant when) {
  if (!state_) return;
  if (sd_event_source_set_time(state_->source, in_microseconds(when)) < 0) std::abort();
  enable(true);
}

namespace {

// A handler may destroy its Source and with it the function object it runs from, so it runs from a copy.
void run_copy(const std::function<void(std::uint32_t)>& handler, std::uint32_t argument) {
  const auto copy = handler;
  copy(argument);
}

}  // namespace

void EventLoop::Source::defer() {
  if (!state_ || state_->source) return;
  const auto call = [](sd_event_source* self, void* data) {
    auto* const state = static_cast<State*>(data);
    state->source = nullptr;
    sd_event_source_disable_unref(self);
    run_copy(state->handler, 0);
    return 0;
  };
  // A new one each time: sd-event takes a deferred source for waiting since it was made, so that one that is switched
  // on again and again goes before all others and starves them.
  if (sd_event_add_defer(state_->loop, &state_->source, call, state_.get()) < 0) std::abort();
}

Result<EventLoop> EventLoop::create() {
  sd_event* loop = nullptr;
  if (const int status = sd_event_new(&loop); status < 0) return refused("event loop", status);
  return EventLoop(loop);
}

Result<EventLoop::Source> EventLoop::add_io(int fd, std::uint32_t events, const char* name,
                                            std::function<void(std::uint32_t)> handler) {
  Source made;
  made.state_.reset(new Source::State{nullptr, std::move(handler)});
  const auto call = [](sd_event_source*, int, std::uint32_t revents, void* state) {
    run_copy(static_cast<Source::State*>(state)->handler, revents);
    return 0;
  };
  const int status = sd_event_add_io(loop_.get(), &made.state_->source, fd, events, call, made.state_.get());
  if (status < 0) return refused(name, status);
  (void)sd_event_source_set_description(made.state_->source, name);
  return made;
}

Result<EventLoop::Source> EventLoop::add_timer(const char* name, std::function<void()> handler) {
  Source made;
  made.state_.reset(new Source::State{nullptr, [act = std::move(handler)](std::uint32_t) { act(); }});
  const auto call = [](sd_event_source*, std::uint64_t, void* state) {
    run_copy(static_cast<Source::State*>(state)->handler, 0);
    return 0;
  };
  const int status = sd_event_add_time(loop_.get(), &made.state_->source, CLOCK_MONOTONIC, 0, timer_accuracy_us, call,
                                       made.state_.get());
  if (status < 0) return refused(name, status);
  (void)sd_event_source_set_description(made.state_->source, name);
  made.disarm();
  return made;
}

EventLoop::Source EventLoop::deferred(std::function<void()> handler) {
  Source made;
  made.state_.reset(new Source::State{nullptr, [act = std::move(handler)](std::uint32_t) { act(); }, loop_.get()});
  return made;
}

Result<EventLoop::Source> EventLoop::add_signal(int signal, const char* name, std::function<void()> handler) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  if (const int status = ::pthread_sigmask(SIG_BLOCK, &mask, nullptr); status != 0) return refused(name, -status);
  Source made;
  made.state_.reset(new Source::State{nullptr, [act = std::move(handler)](std::uint32_t) { act(); }});
  const auto call = [](sd_event_source*, const signalfd_siginfo*, void* state) {
    run_copy(static_cast<Source::State*>(state)->handler, 0);
    return 0;
  };
  const int status = sd_event_add_signal(loop_.get(), &made.state_->source, signal, call, made.state_.get());
  if (status < 0) return refused(name, status);
  (void)sd_event_source_set_description(made.state_->source, name);
  return made;
}

void EventLoop::follow_watchdog() {
  (void)sd_event_set_watchdog(loop_.get(), 1);
}

int EventLoop::run() {
  return sd_event_loop(loop_.get());
}

void EventLoop::stop(int exit_code) {
  (void)sd_event_exit(loop_.get(), exit_code);
}

Instant EventLoop::now() {
  return steady_now();
}

}  // namespace sweetspot
