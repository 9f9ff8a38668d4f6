// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How whoever asked follows a long run, and ends it.

#include <functional>

namespace sotto::analyzer::request {

/// All may be empty.
struct RunWatch {
  std::function<void()> begins{};          ///< the rows are read, and the work begins
  std::function<void(double)> progress{};  ///< is told the share of the work that is done, from one thread
  std::function<bool()> is_stopped{};      ///< asked from time to time, from any thread; true ends the run

  void begin() const {
    if (begins) begins();
  }
  void at(double share) const {
    if (progress) progress(share);
  }
  [[nodiscard]] bool stopped() const { return is_stopped && is_stopped(); }
};

}  // namespace sotto::analyzer::request
