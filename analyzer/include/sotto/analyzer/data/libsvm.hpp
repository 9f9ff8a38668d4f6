// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads sparse rows in LIBSVM format for `sotto fit`.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// A sparse table: only nonzero values are kept.
struct SparseTable {
  std::uint32_t columns = 0;          ///< number of columns, given by the caller
  std::vector<std::uint64_t> first;   ///< row r has the values first[r] .. first[r + 1]
  std::vector<std::uint32_t> column;  ///< from 0
  std::vector<float> value;
  std::vector<float> y;
};

/// Reads LIBSVM text, plain or gzip; `-` is stdin: `label index:value index:value ...`, indices from 1 and rising;
/// blank lines and text after '#' are skipped. The number of features is given by the caller, whatever the file holds,
/// and values with a larger index are dropped, so that neither the number of columns nor a refusal reveals which
/// features a row has.
/// Refuses   io.cannot_read, io.damaged_gzip; data.not_a_number, data.not_finite, data.bad_index, data.no_rows,
///           data.long_record. Each names the file, and the line where there is one.
[[nodiscard]] Result<SparseTable> read_libsvm(const std::filesystem::path& file, std::uint32_t features);

}  // namespace sotto::analyzer
