// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-load/stop_signal.hpp"

#include <signal.h>

namespace sweetspot {

namespace {

volatile sig_atomic_t noted = 0;

void note(int signal) {
  noted = signal;
}

}  // namespace

void note_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int stop_signal() {
  return noted;
}

}  // namespace sweetspot
