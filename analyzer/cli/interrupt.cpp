// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <string_view>

#include "exit.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"

namespace sotto::cli {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // required inside a signal handler

extern "C" void note_interrupt(int) { was_interrupted = true; }

// Calls only functions that are safe in a signal handler.
extern "C" void end_now(int) {
  constexpr std::string_view k_said = "sotto: stopped on request\n  code: interrupted\n";
  analyzer::remove_unfinished_files();
  (void)!::write(STDERR_FILENO, k_said.data(), k_said.size());
  ::_exit(interrupted);
}

/// A parent that ignores the signal (nohup, a background job of a script) wants it ignored.
void handle(const struct sigaction& how, struct sigaction& before) noexcept {
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGINT, &how, nullptr);
}

}  // namespace

void end_at_interrupts() noexcept {
  struct sigaction end {
  }, before{};
  end.sa_handler = end_now;
  sigemptyset(&end.sa_mask);
  handle(end, before);
}

Interrupt::Interrupt() {
  was_interrupted = false;
  struct sigaction note {};
  note.sa_handler = note_interrupt;
  note.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // a second SIGINT meets the default action
  sigemptyset(&note.sa_mask);
  handle(note, before_);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before_, nullptr); }

bool Interrupt::came() noexcept { return was_interrupted; }

}  // namespace sotto::cli
