// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Walsh-Hadamard transform in natural order, in place, not normalised: y_j = sum_i (-1)^popcount(i AND j) x_i.
/// size is a power of two. Overflow wraps and is defined; |x| grows at most by sqrt(size) in the l2 norm.
void hadamard_wrap(std::int32_t* values, std::size_t size) noexcept;

}  // namespace sotto
