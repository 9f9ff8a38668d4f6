// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <csignal>

namespace sotto::cli {

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
