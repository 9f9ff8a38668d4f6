// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/fourier.hpp"

#include <bit>

#include "projection_ops.hpp"
#include "sotto/local/cosine.hpp"

namespace sotto {

namespace {

// Quantiles of the upper half of a Gaussian of standard deviation 2048, at (k + 1/2)/128; the last two are adjusted so
// that variance and kurtosis equal the Gaussian's.
constexpr std::int16_t k_half_bell[128] = {
    10,   30,   50,   70,   90,   110,  130,  151,  171,  191,  211,  231,  251,  272,  292,  312,  332,  353,  373,
    393,  414,  434,  455,  475,  496,  517,  538,  558,  579,  600,  621,  642,  663,  684,  706,  727,  748,  770,
    791,  813,  835,  857,  878,  901,  923,  945,  967,  990,  1012, 1035, 1058, 1081, 1104, 1127, 1151, 1174, 1198,
    1222, 1246, 1270, 1294, 1319, 1344, 1369, 1394, 1419, 1445, 1471, 1497, 1523, 1550, 1577, 1604, 1631, 1659, 1687,
    1715, 1744, 1773, 1802, 1832, 1862, 1892, 1923, 1955, 1987, 2019, 2052, 2085, 2119, 2154, 2189, 2225, 2261, 2299,
    2337, 2375, 2415, 2456, 2498, 2540, 2584, 2629, 2676, 2723, 2773, 2824, 2877, 2931, 2988, 3048, 3110, 3175, 3243,
    3316, 3392, 3474, 3562, 3656, 3759, 3873, 4000, 4145, 4314, 4519, 4783, 4954, 6302};

// 2^17 / (2 pi s) in Q28, s = 2896.32 the standard deviation of a sum of two.
constexpr std::uint64_t k_turns_q28 = 1933407699;
static_assert(2 * std::int64_t{k_half_bell[127]} * 65536 + (1 << 18) < std::int64_t{1} << 31);

/// An entry of the whole distribution: bit 7 is the sign.
[[nodiscard]] std::int32_t bell(std::uint32_t byte) noexcept {
  const std::int32_t half = k_half_bell[byte & 127u];
  return (byte & 128u) != 0 ? -half : half;
}

}  // namespace

FourierScale fourier_scale(std::uint32_t inverse_bandwidth_q16) noexcept {
  const std::uint64_t wanted = k_turns_q28 * inverse_bandwidth_q16;  // Q44, from 2^40 to 2^53
  const auto spare = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(wanted >> 32))) + 32 - 16;
  return {static_cast<std::int32_t>(shift_right_round(static_cast<std::int64_t>(wanted), spare)), 44 - spare};
}

std::int32_t fourier_weight(const FourierScale& scale, std::uint32_t coins) noexcept {
  return (((bell(coins) + bell(coins >> 8)) * scale.multiplier >> (scale.shift - 1)) + 1) >> 1;
}

void fourier_features(const FourierSpec& spec, const Samples& samples, std::uint32_t row,
                      const std::span<std::int32_t>& z_q24) noexcept {
  ProjectionInput in{spec.label, CoinPurpose::shared_fourier, samples, row};
  for (std::int32_t& angle : z_q24) angle = static_cast<std::int32_t>(in.coins.word());
  const FourierScale scale = fourier_scale(spec.inverse_bandwidth_q16);
  for (std::uint32_t j = 0; j < samples.features; ++j) {
    const auto x = static_cast<std::uint32_t>(in.reader.next());
    std::uint32_t word = 0, half = 0;  // a word gives two weights
    for (std::int32_t& angle : z_q24) {
      if (half == 0) word = in.coins.word();
      half ^= 1u;
      const std::uint32_t step = static_cast<std::uint32_t>(fourier_weight(scale, word)) * x;
      angle = static_cast<std::int32_t>(static_cast<std::uint32_t>(angle) + step);
      word >>= 16;
    }
  }
  for (std::int32_t& z : z_q24) z = cosine_q24(static_cast<std::uint32_t>(z));
  scale_all(z_q24, inverse_root_q31(static_cast<std::uint32_t>(z_q24.size() / 2)), 31, Rounding::nearest);
}

}  // namespace sotto
