// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/cosine.hpp"

#include "sotto/fixed.hpp"
#include "sotto/masks.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_quarter = std::uint32_t{1} << 30;

// sin(pi/2 u) = u (c1 - u^2 (c3 - u^2 (c5 - u^2 c7))) on [0, 1], Q30; minimax coefficients, maximum error 2^-20.6.
constexpr std::uint32_t k_c1 = 1686624005, k_c3 = 693522166, k_c5 = 85291978, k_c7 = 4652626;
static_assert(k_c7 < k_c5 && k_c5 < k_c3 && k_c3 < k_c1);  // u^2 <= 1: no difference is negative

[[nodiscard, gnu::noinline]] std::uint32_t product_q30(std::uint32_t a, std::uint32_t b) noexcept {
  return static_cast<std::uint32_t>(multiply_32(a, b) >> 30);
}

}  // namespace

std::int32_t cosine_q24(std::uint32_t turns_q32) noexcept {
  // The angle's distance from a quarter turn, in [-1, 1] quarter turns; the cosine is the sine of that distance.
  const auto from_quarter = static_cast<std::int32_t>(k_quarter - magnitude(static_cast<std::int32_t>(turns_q32)));
  const std::uint32_t u = magnitude(from_quarter), square = product_q30(u, u);
  const std::uint32_t slope = k_c1 - product_q30(square, k_c3 - product_q30(square, k_c5 - product_q30(square, k_c7)));
  const std::uint32_t sine =
      (product_q30(u, slope) + 32) >> 6;  // at most 1, because the polynomial is largest at u = 1
  const std::uint32_t sign = mask_negative(from_quarter);
  return static_cast<std::int32_t>((sine ^ sign) - sign);
}

}  // namespace sotto
