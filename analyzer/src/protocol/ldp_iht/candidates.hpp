// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the coordinates that the next cohort of ldp-iht is asked about.

#include <cstdint>
#include <functional>
#include <vector>

#include "history.hpp"

namespace sotto::analyzer {

/// The coordinates for the next cohort, so many that the expected squared error is smallest: with fewer coordinates
/// each has more reports, but those left out keep their error. `precision(k)` is the inverse variance that the next
/// cohort adds to each of k coordinates. From `least` to `most` of them, or all; coordinates of the centre are always
/// included. In ascending order.
[[nodiscard]] std::vector<std::uint32_t> next_candidates(const ItemHistory& history,
                                                         const std::function<double(std::size_t)>& precision,
                                                         std::size_t least, std::size_t most);

}  // namespace sotto::analyzer
