// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Handling of Ctrl-C (SIGINT).

#include <csignal>

namespace sotto::cli {

/// From now on SIGINT ends the process at once and cleanly: no partial file is left, and the exit code is
/// `interrupted`. What a store has committed stays.
void end_at_interrupts() noexcept;

/// While it lives, Ctrl-C (SIGINT) asks the work to end instead of ending the process; a second one ends it at once, in
/// order.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether SIGINT came. Safe to call from any thread.
  [[nodiscard]] static bool came() noexcept;
  /// What is said to whoever ends the process at once from now on: whether the result is there. A literal, or nullptr.
  static void tell_at_end(const char* what) noexcept;

 private:
  struct sigaction before_ {};
};

/// While it lives, Ctrl-C waits: for the few file operations that belong together.
class HeldInterrupts {
 public:
  HeldInterrupts();
  HeldInterrupts(const HeldInterrupts&) = delete;
  HeldInterrupts& operator=(const HeldInterrupts&) = delete;
  ~HeldInterrupts();

 private:
  sigset_t before_{};
};

}  // namespace sotto::cli
