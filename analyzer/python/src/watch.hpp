// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <atomic>
#include <csignal>
#include <exception>
#include <optional>

#include <pybind11/pybind11.h>

#include "sotto/analyzer/request/watch.hpp"

namespace sotto::python {

/// A long run without the interpreter: other threads of Python go on, Ctrl-C ends the run, and a callback is told how
/// far it is. Whatever the run gave, leave() is called before it is looked at.
class Watched {
 public:
  /// `progress`: None, or a function of the share that is done. Releases the interpreter.
  explicit Watched(pybind11::object progress);
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched();

  [[nodiscard]] analyzer::request::RunWatch watch();
  /// Takes the interpreter back. Raises what the callback raised, or KeyboardInterrupt.
  void leave();

 private:
  void tell(double share);
  void restore();

  pybind11::object progress_;
  std::exception_ptr raised_;
  std::atomic<bool> has_raised_ = false;
  bool is_main_ = false, is_left_ = false;
  struct sigaction before_ {};
  std::optional<pybind11::gil_scoped_release> released_;
};

}  // namespace sotto::python
