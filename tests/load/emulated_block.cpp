// SPDX-License-Identifier: Apache-2.0
#include "tests/load/emulated_block.hpp"

#include <algorithm>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace sweetspot::emulation {

namespace {

constexpr std::size_t stack_bytes = 256 * 1024;
Block* running = nullptr;

void before_switch([[maybe_unused]] void** own, [[maybe_unused]] const void* stack,
                   [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(own, stack, bytes);
#endif
}

void after_switch([[maybe_unused]] void* own, [[maybe_unused]] const void** left,
                  [[maybe_unused]] std::size_t* left_bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(own, left, left_bytes);
#endif
}

/// swapcontext in two steps: the address sanitizer knows swapcontext by name and reports every program that calls it,
/// also one that tells it of its stacks.
void leave_for(const ucontext_t& other, ucontext_t& own) {
  volatile bool came_back = false;
  getcontext(&own);
  if (came_back) return;
  came_back = true;
  setcontext(&other);
}

}  // namespace

Block::Block(unsigned threads) : threads_(threads) {
  for (Thread& thread : threads_) thread.stack.reset(new std::byte[stack_bytes]);
}

void Block::run(const std::function<void()>& body, bool backwards) {
  running = this;
  body_ = &body;
  for (Thread& thread : threads_) {
    thread.done = false;
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = &scheduler_;
    makecontext(&thread.context, &Block::enter, 0);
  }
  while (std::any_of(threads_.begin(), threads_.end(), [](const Thread& thread) { return !thread.done; })) {
    for (std::size_t turn = 0; turn < threads_.size(); ++turn) {
      current_ = backwards ? threads_.size() - 1 - turn : turn;
      if (!threads_[current_].done) resume(threads_[current_]);
    }
  }
  running = nullptr;
}

void Block::enter() {
  Block& block = *running;
  after_switch(nullptr, &block.scheduler_stack_, &block.scheduler_stack_bytes_);
  (*block.body_)();
  block.threads_[block.current_].done = true;
  before_switch(nullptr, block.scheduler_stack_, block.scheduler_stack_bytes_);
}

void Block::resume(Thread& thread) {
  void* own = nullptr;
  before_switch(&own, thread.stack.get(), stack_bytes);
  leave_for(thread.context, scheduler_);
  after_switch(own, nullptr, nullptr);
}

void Block::suspend(Thread& thread) {
  before_switch(&thread.sanitizer_stack, scheduler_stack_, scheduler_stack_bytes_);
  leave_for(scheduler_, thread.context);
  after_switch(thread.sanitizer_stack, &scheduler_stack_, &scheduler_stack_bytes_);
}

void Block::wait_for_others() {
  running->suspend(running->threads_[running->current_]);
}

unsigned Block::thread() {
  return static_cast<unsigned>(running->current_);
}

}  // namespace sweetspot::emulation
