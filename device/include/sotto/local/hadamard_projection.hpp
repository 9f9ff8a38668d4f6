// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A random projection of one record by blocks of a subsampled randomized Walsh-Hadamard transform: cheaper than
/// a matrix of independent signs, with no more variance.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// The largest number of outputs of a projection; their number is a multiple of 8.
inline constexpr std::size_t k_projected_max = 256;

[[nodiscard]] constexpr bool projected_size_good(std::size_t p) noexcept {
  return p != 0 && p % 8 == 0 && p <= k_projected_max;
}

inline constexpr std::uint32_t k_hadamard_block_min = 32, k_hadamard_block_max = 4096;

/// The work space of hadamard_project(): the block, and a bit for each of its coordinates.
[[nodiscard]] constexpr std::size_t hadamard_project_work_bytes(std::uint32_t block) noexcept {
  return k_workspace_slack + block * sizeof(std::int32_t) + block / 8;
}

/// Computes z = Phi x / sqrt(p) as Q24, x the features of one row (without the target), p the size of z_q24. Phi is a p
/// x d matrix of signs, the same for all devices of a study (the label's pseudonym is ignored). It is generated on the
/// fly, and the row is read once, at most 32 numbers at a time. Features are split into blocks of B (the last one padded with zeros). In each block public signs flip the features, a Walsh-Hadamard
/// transform mixes them, and p of its B coordinates are sampled without replacement, each with a sign; the blocks are
/// added up. B is a power of two, from max(32, p) to 4096. One block of B >= d is the most accurate; a smaller B takes
/// less memory.
///
/// Coins: shared_projection, pseudonym 0. Block b begins at byte 2^31 + 4b(B/32 + p). First B/32 words: bit i%32 of
/// word i/32 set flips feature i of the block. Then one word w_j for each output: with t = B - p + j and r = floor(w_j
/// (t+1) / 2^32), output j takes coordinate r, or t if an earlier output took r (Floyd's sample; probabilities are
/// equal up to 2^-19), and is flipped where bit 0 of w_j is set.
///
/// One round of signs and transform is enough. For every x, E|z|^2 = |x|^2 and Var|z|^2 = (2/p)(|x|^4 - sum x_i^4 -
/// (p-1)/(B-1) sum_b (|x_b|^4 - sum_(i in b) x_i^4)): never above that of independent signs, (2/p)(|x|^4 - sum x_i^4).
/// Tails can be longer for few features whose places form a subgroup: 256 -> 64, |z|^2 is off by more than half for
/// 0.55 % of matrices with 8 such features (independent signs 0.31 %), and for 0.12 % with all features equal (0.62 %).
/// Two more rounds would cost three times as much and no longer be exact in int32.
/// Accuracy  sums are exact in int32 and scaled once: to nearest, halves away from zero, within 2^-25 + |z_j|*2^-27.
///           |z_j| <= 90.6 for |x| <= 1 and any d; beyond 128, which takes |x| > sqrt(2), it saturates. A row that the
///           device does not hold gives zeros.
/// Cost     256 -> 64, B = 256: 33 k, 33 k and 50 k instructions on Cortex-M4, M3 and M0; it does not depend on the
///          numbers.
/// Takes    a p that is projected_size_good(), 1 to k_features_max features, such a B, `work` of hadamard_project_work_bytes(B) or more.
void hadamard_project(const CoinLabel& label, std::uint32_t block, const Samples& samples, std::uint32_t row,
                      const std::span<std::byte>& work, const std::span<std::int32_t>& z_q24) noexcept;

/// One column of Phi, 1 or -1 for each output, from which the analyzer builds its copy of the matrix.
/// Refuses  bad_dimension: p or B is outside its range, or the feature is k_features_max or more; short_buffer: `work`
///          is too small.
Status hadamard_projection_column(const CoinLabel& label, std::uint32_t block, std::uint32_t feature,
                                  const std::span<std::byte>& work, const std::span<std::int8_t>& signs) noexcept;

}  // namespace sotto
