// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "history.hpp"

namespace sotto::analyzer {

/// Whom the next cohort is asked about: the coordinates, as many as leave the least squared error to be expected. Fewer coordinates
/// get more answers each; those that are left out keep the error that they have. `precision(k)` is 1/variance that the next cohort
/// adds to each of k coordinates. No more than `most`, or all; the known ones are always among them. Rising.
[[nodiscard]] std::vector<std::uint32_t> next_candidates(const ItemHistory& history,
                                                         const std::function<double(std::size_t)>& precision,
                                                         std::size_t least, std::size_t most);

}  // namespace sotto::analyzer
