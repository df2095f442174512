// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace sweetspot::emulation {

/// The threads of one block, one after the other on this thread: each runs until it waits for the others, then the next
/// one does. What a kernel forgets to wait for is therefore not there yet, every time.
class Block {
 public:
  explicit Block(unsigned threads);

  /// Runs `body` once in every thread of the block, the last one first where `backwards`.
  void run(const std::function<void()>& body, bool backwards);
  /// Called by `body`: comes back when all threads of the block have called it.
  static void wait_for_others();
  /// Called by `body`: which thread it is.
  [[nodiscard]] static unsigned thread();

 private:
  struct Thread {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    void* sanitizer_stack = nullptr;
    bool done = false;
  };
  static void enter();
  void resume(Thread& thread);
  void suspend(Thread& thread);

  std::vector<Thread> threads_;
  const std::function<void()>* body_ = nullptr;
  std::size_t current_ = 0;
  ucontext_t scheduler_{};
  const void* scheduler_stack_ = nullptr;  // for the address sanitizer, which has to know of every change of stacks
  std::size_t scheduler_stack_bytes_ = 0;
};

}  // namespace sweetspot::emulation
