// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Random Fourier features of one record: a public random map under which inner products approximate a Gaussian kernel,
/// so that linear models of the features fit functions that are not linear.

#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/public_coins.hpp"

namespace sotto {

/// The range of 1/h in Q16: bandwidths h from 1/64 to 64.
inline constexpr std::uint32_t k_inverse_bandwidth_q16_min = 1u << 10, k_inverse_bandwidth_q16_max = 1u << 22;
/// An upper bound of sqrt(2) in Q24: no feature vector is longer.
inline constexpr std::uint32_t k_fourier_radius_q24 = 23726567;

/// The parameters of random Fourier features, all public.
struct FourierSpec {
  CoinLabel label;  ///< its pseudonym is ignored: all devices share the coins of pseudonym 0
  std::uint32_t inverse_bandwidth_q16 = 1u << 16;  ///< 1/h
};

/// z_j = sqrt(2/p) cos(<w_j, x> + b_j) as Q24, x the features of one row, p the size of z_q24 (a multiple of 8, at most
/// 256): E<z, z'> is the Gaussian kernel exp(-|x - x'|^2 / 2h^2), and |z| <= sqrt(2).
///
/// Coins: shared_fourier, pseudonym 0. Word j < p is b_j in 2^-32 turns. Two bytes for each weight follow, first all
/// weights of feature 0, then of feature 1, and so on: fourier_weight(). Angles are sums of weight times x in Q15
/// modulo 2^32, so they are exact.
/// Law      a weight is the sum of two table entries: its moments are Gaussian up to the fourth, and it is at most 4.4
///          standard deviations. If no coordinate differs by more than 8h, the kernel is off by at most 2^-10 (for one
///          feature 2^-11), and by 2^-8 otherwise, for any number of features.
/// Accuracy  |z_j| within 2^-20 for these w_j and b_j, <z, z'> within 2^-17. A row that the device does not hold counts
///           as zeros.
/// Cost     256 -> 64: 1.06 M, 1.19 M and 1.53 M instructions on Cortex-M4, M3 and M0, nearly half of it coins; 4 ->
///          64: 29 k, 41 k and 50 k. It does not depend on the numbers.
/// Takes    such a p, 1 to k_features_max features, a bandwidth in its range.
void fourier_features(const FourierSpec& spec, const Samples& samples, std::uint32_t row,
                      const std::span<std::int32_t>& z_q24) noexcept;

/// The public factor that scales the weights: multiplier / 2^shift.
struct FourierScale {
  std::int32_t multiplier;  ///< 2^15 .. 2^16
  std::uint32_t shift;      ///< 7 .. 19
};
[[nodiscard]] FourierScale fourier_scale(std::uint32_t inverse_bandwidth_q16) noexcept;

/// A weight from the lowest 16 bits of the coins, in 2^-32 turns for each unit of Q15: standard deviation 2^17/(2 pi
/// h).
[[nodiscard]] std::int32_t fourier_weight(const FourierScale& scale, std::uint32_t coins) noexcept;

}  // namespace sotto
