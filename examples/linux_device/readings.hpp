// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The readings of a device: a text file with a row on each line, whole numbers separated by commas, the target last.

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

/// What cannot be used, with the place and the fix in words.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In place of a reading that there is not.
inline constexpr std::int32_t k_no_reading = std::numeric_limits<std::int32_t>::min();

struct Readings {
  std::uint32_t columns = 0;
  std::vector<std::int32_t> values;  ///< row by row
  std::string fault;                 ///< the first thing that could not be used as it stands; empty if there is none
  [[nodiscard]] std::uint32_t rows() const {
    return columns == 0 ? 0 : static_cast<std::uint32_t>(values.size() / columns);
  }
};

/// What becomes of a file that is not there, a line with another number of columns, a header line, a field that is empty,
/// a number that is not whole or too large.
enum class Faults : std::uint8_t {
  refused,   ///< Unusable is thrown: for a person who sets the device up
  answered,  ///< there are no such rows and readings, and too large numbers are cut: for a device that takes part,
             ///< whose silence would tell of its readings what no epsilon covers
};

/// Reads a file. It may have no rows: a device without any answers like the others.
[[nodiscard]] Readings read_readings(const std::string& path, std::uint32_t columns, Faults faults);
