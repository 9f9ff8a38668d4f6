// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/solve/moments.hpp"

namespace sotto::analyzer {

/// What a user could learn alone: the Lasso with intercept on the user's own rows. Lambda is the best of 20 values from
/// lambda_max down to lambda_max / 10 by cross-validation over three groups of rows; with fewer than 12 rows it is
/// lambda_max / 10.
[[nodiscard]] LinearModel local_lasso(const StandardRows& rows, std::uint32_t user, std::uint64_t seed);

}  // namespace sotto::analyzer
