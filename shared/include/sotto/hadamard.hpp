// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fast Walsh-Hadamard transform, with which vectors are rotated.

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Walsh-Hadamard transform in natural order, in place, not normalised: y_j = sum_i (-1)^popcount(i AND j) x_i. `size`
/// is a power of two. The l2 norm grows by exactly sqrt(size) unless a number overflows; overflow wraps modulo 2^32.
void hadamard_wrap(std::int32_t* values, std::size_t size) noexcept;

}  // namespace sotto
