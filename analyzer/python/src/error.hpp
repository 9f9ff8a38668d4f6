// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <utility>

#include <pybind11/pybind11.h>

#include "sotto/analyzer/result.hpp"

namespace sotto::python {

/// Raises sotto.Error with the code, value and fix of a refusal. Options are named as Python names them.
[[noreturn]] void raise(const analyzer::Error& error);

/// The value, or the refusal as an exception. The caller holds the interpreter.
template <class T>
T unwrap(analyzer::Result<T> result) {
  if (!result) raise(result.error());
  return std::move(result).value();
}

}  // namespace sotto::python
