// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "rows.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/masks.hpp"
#include "sotto/public_coins.hpp"

// What the random projections and random Fourier features share.
namespace sotto {

/// Sums of all features with any signs fit in int32, and so do all partial sums.
inline constexpr std::uint64_t k_sign_sum_max = std::uint64_t{k_features_max} * 32768;
static_assert(k_sign_sum_max < std::uint64_t{1} << 31);

/// The label of coins that all devices share: pseudonym 0 is issued to nobody.
[[nodiscard]] inline CoinLabel shared_label(const CoinLabel& label) noexcept {
  return {label.study_seed, 0, label.round};
}

/// The inputs of a projection: the shared coins, and the row. Out of line, because both need it.
struct ProjectionInput {
  [[gnu::noinline]] ProjectionInput(const CoinLabel& label, CoinPurpose purpose, const Samples& samples,
                                    std::uint32_t row) noexcept
      : coins{shared_label(label), purpose}, reader{samples, row} {}

  PublicCoins coins;
  RowReader reader;
};

/// floor(2^31 / sqrt(n)), 2 <= n <= 256: at least 2^27, so its relative error is below 2^-27.
[[nodiscard]] inline std::uint32_t inverse_root_q31(std::uint32_t n) noexcept {
  return root_floor(divide_floor(std::uint64_t{1} << 62, n));
}

/// Converts sums of signed Q15 to sum / sqrt(p) in Q24: shifts by 15 + 31 - 24 bits.
inline void scale_sign_sums(const std::span<std::int32_t>& z) noexcept {
  const std::uint32_t factor = inverse_root_q31(static_cast<std::uint32_t>(z.size()));
  scale_all(z, factor, 15 + 31 - 24, Rounding::nearest);
}

}  // namespace sotto
