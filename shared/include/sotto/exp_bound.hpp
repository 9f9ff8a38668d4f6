// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A proven upper bound of e^-epsilon in integers, on which every check of a privacy loss rests.

#include <cstdint>

#include "sotto/units.hpp"

namespace sotto {

/// An exponent y >= 0 in Q40: floor(y * 2^40).
using ExponentQ40 = std::uint64_t;

/// epsilon > 0 in Q40, rounded down: a smaller exponent gives a larger e^-epsilon, which is the safe direction.
[[nodiscard]] ExponentQ40 exponent_q40(EpsilonNano epsilon) noexcept;

/// An upper bound R of 2^64 * e^-y, for y <= 24: R/2^64 <= e^-y * (1 + 2^-36) + 2^-61. Saturates at 2^64 - 1. A channel
/// that is checked with R in place of e^-epsilon spends at most epsilon. Proof: device/proofs/two_level.md, step 1.
[[nodiscard]] std::uint64_t exp_neg_upper_q64(ExponentQ40 y) noexcept;

}  // namespace sotto
