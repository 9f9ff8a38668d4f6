// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Finds the k largest of many private numbers in constant time: the selection behind hard thresholding and behind the
/// randomizers that report one of the k closest codewords.

#include <cstdint>

#include "sotto/masks.hpp"

namespace sotto {

/// Private keys that are ranked in place: 16-bit numbers, or the magnitudes of signed 32-bit numbers.
struct Keys {
  std::uint32_t count;
  std::uint32_t bits;  ///< keys are below 2^bits
  const std::int32_t* words;
  const std::uint16_t* halves = nullptr;  ///< used if `words` is nullptr
};

/// The k largest keys, 1 <= k <= count; of equal keys the first ones, so that there are exactly k. Constant time: bits
/// + 1 passes over the keys.
class Largest {
 public:
  Largest(const Keys& keys, std::uint32_t k) noexcept;
  /// All ones if this key is one of the k largest. Must be called once for every key, in order.
  [[nodiscard]] std::uint32_t has(std::uint32_t key) noexcept {
    const std::uint32_t above = mask_less(kth_, key);
    const std::uint32_t equal = ~(above | mask_less(key, kth_)) & mask_less(0, equal_left_);
    equal_left_ += equal;
    return above | equal;
  }

 private:
  std::uint32_t kth_ = 0;
  std::uint32_t equal_left_ = 0;  // how many more keys equal to the k-th belong to the k largest
};

/// |v|, given mask_negative(v).
[[nodiscard]] inline std::uint32_t magnitude_of(std::int32_t v, std::uint32_t negative) noexcept {
  return (static_cast<std::uint32_t>(v) ^ negative) - negative;
}

}  // namespace sotto
