// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/masks.hpp"

namespace sotto {

/// Private numbers that are ranked where they lie: numbers of 16 bits, or the magnitudes of signed numbers of 32 bits.
struct Keys {
  std::uint32_t count;
  std::uint32_t bits;  ///< keys are below 2^bits
  const std::int32_t* words;
  const std::uint16_t* halves = nullptr;  ///< asked where there are no words
};

/// The k largest of all keys, 1 <= k <= count; of equal ones the first. Exactly k, found in constant time: bits + 1 passes.
class Largest {
 public:
  Largest(const Keys& keys, std::uint32_t k) noexcept;
  /// All ones when this key is one of them. To be asked for every key, in order.
  [[nodiscard]] std::uint32_t has(std::uint32_t key) noexcept {
    const std::uint32_t above = mask_less(kth_, key);
    const std::uint32_t equal = ~(above | mask_less(key, kth_)) & mask_less(0, equal_left_);
    equal_left_ += equal;
    return above | equal;
  }

 private:
  std::uint32_t kth_ = 0;
  std::uint32_t equal_left_ = 0;  // so many of those that are equal to the k-th
};

/// |v|, given mask_negative(v).
[[nodiscard]] inline std::uint32_t magnitude_of(std::int32_t v, std::uint32_t negative) noexcept {
  return (static_cast<std::uint32_t>(v) ^ negative) - negative;
}

}  // namespace sotto
