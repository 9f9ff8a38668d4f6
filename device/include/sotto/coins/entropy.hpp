// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The firmware's source of random bytes, and the health test of a seed.

#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"

namespace sotto {

/// The firmware's source of randomness. There is no default and no fallback: a device without one sends nothing.
///   ready  may be called at any time; false until the hardware generator has started up
///   read   fills all n bytes with conditioned, full-entropy bytes and returns true, or returns false
struct [[gnu::may_alias]] EntropySource {
  void* context = nullptr;
  bool (*ready)(void* context) = nullptr;
  bool (*read)(void* context, std::uint8_t* out, std::size_t n) = nullptr;
};

inline constexpr std::size_t k_seed_bytes = 32;

/// A health test that detects a stuck, repeating or unpowered source. It cannot tell predictable bytes from random
/// ones.
/// Refuses  entropy_fault: six equal adjacent bytes, or fewer than 72 or more than 184 of 256 bits set. A good source
///          fails with probability below 10^-10.
[[nodiscard]] Status seed_health(const std::uint8_t seed[k_seed_bytes]) noexcept;

}  // namespace sotto
