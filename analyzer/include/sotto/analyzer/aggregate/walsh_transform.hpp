// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fast Walsh-Hadamard transform in integers, with which walsh_hash and hadamard_response decode all categories at
/// once.

#include <cstdint>
#include <span>

namespace sotto::analyzer {

/// y_j = sum_i (-1)^popcount(i AND j) x_i, in place and not normalised; the size is a power of two. Overflow wraps;
/// there is none while the sum of |x_i| is below 2^63. The recursion splits in halves, so that each piece is finished
/// while it is in cache.
void walsh_transform_wrap(std::span<std::int64_t> values) noexcept;

}  // namespace sotto::analyzer
