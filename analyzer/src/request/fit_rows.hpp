// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sotto/analyzer/request/fit.hpp"

namespace sotto::analyzer::request {

[[nodiscard]] central::Adjacency adjacency_of(const FitOptions& options);

/// The size that --synthetic asks for.
struct SyntheticSize {
  std::size_t rows = 0, columns = 0, nonzeros = 0;
};
/// Parses --synthetic.
/// Refuses   fit.bad_synthetic; fit.too_large: too many values.
[[nodiscard]] Result<SyntheticSize> synthetic_size(const std::string& text);
/// Synthetic rows in the form of a file's, and their true coefficients.
[[nodiscard]] central::PreparedData synthetic_data(const SyntheticSize& size, const FitOptions& options,
                                                   std::uint64_t seed, std::vector<double>& truth);
[[nodiscard]] Result<central::PreparedData> file_data(const FitOptions& options);

}  // namespace sotto::analyzer::request
