// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "interrupt.hpp"

#include <atomic>

namespace sotto::cli {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // what a signal handler may touch

extern "C" void note_interrupt(int) { was_interrupted = true; }

}  // namespace

Interrupt::Interrupt() {
  was_interrupted = false;
  struct sigaction note {};
  note.sa_handler = note_interrupt;
  note.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one finds what was there by default
  sigemptyset(&note.sa_mask);
  // A caller that ignores the signal (nohup, a script's background job) wants it ignored.
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &note, nullptr);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before_, nullptr); }

bool Interrupt::came() noexcept { return was_interrupted; }

}  // namespace sotto::cli
