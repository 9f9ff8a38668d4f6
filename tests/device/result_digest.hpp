// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "seeded_entropy.hpp"
#include "sotto/fixed.hpp"
#include "sotto/sha256.hpp"
#include "unity.h"

// Seeded inputs for the local estimators, and SHA-256 over their results: the same bits on every target.
namespace sotto {

class ResultDigest {
 public:
  void add(std::span<const std::int32_t> numbers) noexcept {
    for (const std::int32_t n : numbers) add(n);
  }
  void add(std::int32_t number) noexcept {
    std::uint8_t bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(number) >> (8 * i));
    hash_.add(bytes);
  }
  /// Fails with the digest that was found.
  void expect(const char* hex) noexcept {
    Digest digest;
    hash_.finish(digest);
    char found[65] = {};
    for (std::size_t i = 0; i < 64; ++i) {
      found[i] = "0123456789abcdef"[(digest[i >> 1] >> ((i & 1u) == 0 ? 4 : 0)) & 15u];
    }
    TEST_ASSERT_EQUAL_STRING(hex, found);
  }

 private:
  Sha256 hash_;
};

/// A number of Q15: bell-shaped with standard deviation 1/4 (kind 0), anything (1), the ends of the range (2), tiny
/// (3).
inline Q15 seeded_q15(SeededEntropy& seeded, std::uint32_t kind) noexcept {
  const std::uint32_t w = seeded.word();
  if (kind == 0) {
    std::int32_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += static_cast<std::int32_t>((w >> (8 * i)) & 255u) * 2 - 255;
    return static_cast<Q15>(sum * 28);
  }
  if (kind == 2) return (w & 1u) != 0 ? Q15{32767} : Q15{-32768};
  if (kind == 3) return static_cast<Q15>(static_cast<std::int32_t>(w % 5u) - 2);
  return static_cast<Q15>(w);
}

}  // namespace sotto
