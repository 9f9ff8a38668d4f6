// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/lasso.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

// ln n in Q24, n >= 1, too small by less than 2^-20. The bits of log2 n are found by repeated squaring of the mantissa.
constexpr std::uint32_t ln_q24(std::uint32_t n) noexcept {
  const std::uint32_t whole = bit_length(n) - 1;
  std::uint64_t mantissa = std::uint64_t{n} << (31 - whole);  // [1, 2) in Q31
  std::uint32_t log2_q24 = whole << 24;
  for (std::uint32_t bit = 1u << 23; bit != 0; bit >>= 1) {
    mantissa = multiply_32(static_cast<std::uint32_t>(mantissa), static_cast<std::uint32_t>(mantissa)) >> 31;
    if (mantissa >> 32 == 0) continue;
    mantissa >>= 1;
    log2_q24 |= bit;
  }
  constexpr std::uint32_t k_ln2_q32 = 2977044471u;
  return static_cast<std::uint32_t>(multiply_32(log2_q24, k_ln2_q32) >> 32);
}

constexpr std::uint32_t at_most(std::uint64_t v, std::uint32_t max) noexcept {
  return v < max ? static_cast<std::uint32_t>(v) : max;
}

}  // namespace

std::uint32_t lambda_rule_q24(std::uint32_t features, std::uint32_t nominal_rows, std::uint32_t unit_q15,
                              std::uint32_t noise_q15, std::uint32_t multiplier_q15) noexcept {
  const std::uint32_t d = at_most(features < 2 ? 2 : features, k_features_max);
  const std::uint32_t m = nominal_rows == 0 ? 1 : at_most(nominal_rows, k_rows_max);
  // 2 ln d / m in Q48, at most 22.2 * 2^48; its root in Q24.
  const std::uint32_t root_q24 = root_floor(divide_floor(std::uint64_t{ln_q24(d)} << 25, m));
  const auto scale_q30 = static_cast<std::uint32_t>(multiply_32(at_most(unit_q15, 65535), at_most(noise_q15, 65535)));
  const std::uint64_t scaled_q24 = multiply_32(root_q24, scale_q30) >> 30;  // 2^27 * 2^32 before the shift
  return at_most(multiply_32(at_most(scaled_q24, ~0u), at_most(multiplier_q15, 1u << 20)) >> 15, ~0u);
}

}  // namespace sotto
