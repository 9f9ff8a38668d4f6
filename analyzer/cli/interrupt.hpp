// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <csignal>

namespace sotto::cli {

/// From now on Ctrl-C (SIGINT) ends the process at once and in order: no half of a file is left, and the exit code is
/// `interrupted`. What a store has committed stays, as it does whenever a process ends.
void end_at_interrupts() noexcept;

/// While it lives, Ctrl-C (SIGINT) asks the work to end instead of ending the process; a second one ends it at once.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// From any thread.
  [[nodiscard]] static bool came() noexcept;

 private:
  struct sigaction before_ {};
};

}  // namespace sotto::cli
