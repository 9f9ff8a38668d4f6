// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arithmetic/largest.hpp"

namespace sotto {

namespace {

/// Counts the keys that are at least the candidate.
[[nodiscard]] std::uint32_t keys_from(const Keys& keys, std::uint32_t candidate) noexcept {
  std::uint32_t from = keys.count;
  if (const std::int32_t* v = keys.words; v != nullptr) {
    const std::int32_t* const end = v + keys.count;
    do {
      from += mask_less(magnitude_of(*v, mask_negative(*v)), candidate);
    } while (++v != end);
  } else {
    for (std::uint32_t i = 0; i < keys.count; ++i) from += mask_less(keys.halves[i], candidate);
  }
  return from;
}

}  // namespace

Largest::Largest(const Keys& keys, std::uint32_t k) noexcept {
  // The bits of the k-th key are determined from the top, each by one pass that counts the keys at or above the
  // candidate. The last pass counts those above the k-th key, fewer than k.
  for (std::uint32_t bit = std::uint32_t{1} << (keys.bits - 1);; bit >>= 1) {
    const std::uint32_t candidate = kth_ + (bit != 0 ? bit : 1), from = keys_from(keys, candidate);
    equal_left_ = k - from;
    if (bit == 0) return;
    kth_ = choose(mask_less(from, k), kth_, candidate);
  }
}

}  // namespace sotto
