// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The readings of a device: a text file with a row on each line, whole numbers separated by commas, the target last.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// What cannot be used, with the place and the fix in words.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Readings {
  std::uint32_t columns = 0;
  std::vector<std::int32_t> values;  ///< row by row
  [[nodiscard]] std::uint32_t rows() const {
    return columns == 0 ? 0 : static_cast<std::uint32_t>(values.size() / columns);
  }
};

/// Reads a file. It may have no rows: a device without any answers like the others.
/// Throws    Unusable: not there, a line with another number of columns, a header line, a number that is not whole or too large.
[[nodiscard]] Readings read_readings(const std::string& path, std::uint32_t columns);
