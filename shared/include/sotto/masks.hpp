// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Constant-time comparison and selection. Choices that depend on private values are made with masks (all ones or
/// zero), never with branches; hide() keeps the compiler from turning them back into branches.

#include <cstdint>

#include "sotto/arm/mask_less.hpp"
#include "sotto/barrier.hpp"

namespace sotto {

/// All ones when a < b, else zero: the borrow of a - b.
[[nodiscard]] inline std::uint32_t mask_less(std::uint32_t a, std::uint32_t b) noexcept {
#if defined(__ARM_ARCH_6M__)
  return arm::mask_less(a, b);
#else
  return hide(portable::mask_less(a, b));
#endif
}

/// All ones when v is negative, else zero.
[[nodiscard]] inline std::uint32_t mask_negative(std::int32_t v) noexcept {
  return hide(static_cast<std::uint32_t>(v >> 31));
}

/// All ones when a == b, else zero.
[[nodiscard]] inline std::uint32_t mask_equal(std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint32_t d = a ^ b;
  return hide(~static_cast<std::uint32_t>(static_cast<std::int32_t>(d | (0u - d)) >> 31));
}

/// a where the mask is set, else b.
[[nodiscard]] inline std::uint32_t choose(std::uint32_t mask, std::uint32_t a, std::uint32_t b) noexcept {
  return b ^ (mask & (a ^ b));
}

/// v clipped to [low, high], saturating; defined for every int32. Constant time.
[[nodiscard]] inline std::int32_t clip_saturate(std::int32_t v, std::int32_t low, std::int32_t high) noexcept {
  const auto less = [](std::int32_t a, std::int32_t b) noexcept {
    return hide(static_cast<std::uint32_t>((std::int64_t{a} - b) >> 32));
  };
  const auto pick = [](std::uint32_t mask, std::int32_t a, std::int32_t b) noexcept {
    return static_cast<std::int32_t>(choose(mask, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
  };
  v = pick(less(v, low), low, v);
  return pick(less(high, v), high, v);
}

/// 1 when an odd number of bits is set.
[[nodiscard]] inline std::uint32_t parity(std::uint32_t v) noexcept {
  v ^= v >> 16;
  v ^= v >> 8;
  v ^= v >> 4;
  v ^= v >> 2;
  v ^= v >> 1;
  return v & 1u;
}

/// The public rule for categories outside the domain: x if it is below the number of categories, else category 0.
[[nodiscard]] inline std::uint32_t category_or_zero(std::uint32_t x, std::uint32_t categories) noexcept {
  return x & mask_less(x, categories);
}

}  // namespace sotto
