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

/// During its lifetime SIGINT asks the work to stop instead of ending the process; a second one ends it at once.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether SIGINT came. Safe to call from any thread.
  [[nodiscard]] static bool came() noexcept;

 private:
  struct sigaction before_ {};
};

}  // namespace sotto::cli
