// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A random projection of one record by a public matrix of signs, which is never stored.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/public_coins.hpp"

namespace sotto {

/// The largest number of outputs of a projection; their number is a multiple of 8.
inline constexpr std::size_t k_projected_max = 256;

[[nodiscard]] constexpr bool projected_size_good(std::size_t p) noexcept {
  return p != 0 && p % 8 == 0 && p <= k_projected_max;
}

/// Computes z = Phi x / sqrt(p) as Q24, x the features of one row (without the target), p the size of z_q24. Phi is a p
/// x d matrix of signs, the same for all devices of a study: the coins of shared_projection with pseudonym 0 (the
/// label's own is ignored). It is generated on the fly, and the row is read once, at most 32 numbers at a time.
///
/// The sign of entry (j, i) is bit i%4 of nibble j%8 (bits 4(j%8) and up) of word (i/4)*(p/8) + j/8 of the stream; a
/// set bit is -1. So the matrix for fewer features is a prefix of that for more.
/// Accuracy  sums are exact in int32 and scaled once: to nearest, halves away from zero, within 2^-25 + |z_j|*2^-27.
///           |z_j| <= 90.6 for |x| <= 1 and any d; beyond 128, which takes |x| > sqrt(2), it saturates. A row that the
///           device does not hold gives zeros.
/// Cost     256 -> 64: 100 k, 105 k and 139 k instructions on Cortex-M4, M3 and M0; it does not depend on the numbers.
/// Takes    a p that is projected_size_good(), 1 to k_features_max features.
void sign_project(const CoinLabel& label, const Samples& samples, std::uint32_t row,
                  const std::span<std::int32_t>& z_q24) noexcept;

}  // namespace sotto
