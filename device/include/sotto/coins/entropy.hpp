// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"

namespace sotto {

/// The firmware's source of randomness. There is no default and no fallback: a device without one sends nothing.
/// ready   may be asked at any time; false before the hardware generator has settled.
/// read    fills all n bytes with full-entropy (conditioned) bytes and returns true, or returns false.
struct EntropySource {
  void* context = nullptr;
  bool (*ready)(void* context) = nullptr;
  bool (*read)(void* context, std::uint8_t* out, std::size_t n) = nullptr;
};

inline constexpr std::size_t k_seed_bytes = 32;

/// Does a seed look alive? Catches a stuck, repeating or unpowered source, not a clever one.
/// Refuses  six equal neighbouring bytes; fewer than 72 or more than 184 of 256 bits set. Odds for a good source: below 10^-10.
[[nodiscard]] Status seed_health(const std::uint8_t seed[k_seed_bytes]) noexcept;

}  // namespace sotto
