// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include <pybind11/pybind11.h>

#include "sotto/analyzer/data/table_reader.hpp"

namespace sotto::python {

/// Rows that Python holds, for as long as this lives: columns of numbers, read where they are, or separated values.
struct HeldFrame {
  analyzer::NumberFrame numbers;
  std::optional<std::string> text;  ///< in place of numbers
  pybind11::object holder;          ///< what owns the memory

  [[nodiscard]] analyzer::TableReader reader() const;
};

/// From sotto/_frames.py: a dict with name, and text or columns, a list of (name, array of doubles or floats), and user,
/// (name, array of uint32, names) or None.
[[nodiscard]] HeldFrame held_frame(const pybind11::dict& frame);

}  // namespace sotto::python
