// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Splits users at random into a training and a held-out set.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// Indices of training and held-out users, in the random order of the seed.
struct UserSplit {
  std::vector<std::uint32_t> train, test;
};

/// Holds out round(users * test_share) users, but leaves at least one on either side if there are at least two users
/// and 0 < test_share < 1. The same seed gives the same split on every platform.
[[nodiscard]] UserSplit split_users(std::size_t users, double test_share, std::uint64_t seed);

}  // namespace sotto::analyzer
