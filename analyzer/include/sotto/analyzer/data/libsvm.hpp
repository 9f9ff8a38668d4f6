// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Rows of which only the values that are not zero are kept.
struct SparseTable {
  std::uint32_t columns = 0;          ///< as many as the caller said there are
  std::vector<std::uint64_t> first;   ///< values of row r: first[r] .. first[r + 1]
  std::vector<std::uint32_t> column;  ///< from 0
  std::vector<float> value;
  std::vector<float> y;
};

/// Reads LIBSVM text, plain or gzip; `-` is stdin: `label index:value index:value ...`, indices from 1 and rising; what follows a '#'
/// and blank lines are skipped. There are `features` features, whatever the file holds: values with a larger index are left out, so
/// that neither the number of columns nor a refusal tells which features a row has.
/// Refuses   io.cannot_read, io.damaged_gzip; data.not_a_number, data.not_finite, data.bad_index, data.no_rows, data.long_record. Each
///           names the file, and the line where there is one.
[[nodiscard]] Result<SparseTable> read_libsvm(const std::filesystem::path& file, std::uint32_t features);

}  // namespace sotto::analyzer
