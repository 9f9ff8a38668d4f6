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
std::atomic<const char*> told_at_end = nullptr;
// What a signal handler may touch.
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

void say_now(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

// Calls only functions that are safe in a signal handler.
extern "C" void end_now(int) {
  analyzer::remove_unfinished_files();
  say_now("sotto: stopped on request");
  if (const char* told = told_at_end; told != nullptr) {
    say_now(": ");
    say_now(told);
  }
  say_now("\n  code: interrupted\n");
  ::_exit(interrupted);
}

extern "C" void note_interrupt(int signal) {
  if (was_interrupted.exchange(true)) end_now(signal);
}

/// A parent that ignores the signal (nohup, a script's background job) wants it ignored.
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
  note.sa_flags = SA_RESTART;
  sigemptyset(&note.sa_mask);
  handle(note, before_);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before_, nullptr); }

bool Interrupt::came() noexcept { return was_interrupted; }

void Interrupt::tell_at_end(const char* what) noexcept { told_at_end = what; }

HeldInterrupts::HeldInterrupts() {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupts, &before_);
}

HeldInterrupts::~HeldInterrupts() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace sotto::cli
