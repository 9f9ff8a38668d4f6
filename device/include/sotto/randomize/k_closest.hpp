// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/masks.hpp"

namespace sotto {

/// The k-th largest of `count` distinct keys below 2^bits, 1 <= k <= count, in constant time: the answer's bits are fixed
/// from the top, each by one pass that counts the keys at or above the candidate. key(i) gives key i.
template <class Key>
[[nodiscard]] std::uint32_t kth_largest(std::uint32_t count, std::uint32_t bits, std::uint32_t k, Key key) noexcept {
  std::uint32_t kth = 0;
  for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit != 0; bit >>= 1) {
    const std::uint32_t candidate = kth | bit;
    std::uint32_t below = 0;  // minus the number of keys below the candidate
    for (std::uint32_t i = 0; i < count; ++i) below += mask_less(key(i), candidate);
    const std::uint32_t at_or_above = count + below;
    kth = choose(mask_less(at_or_above, k), kth, candidate);
  }
  return kth;
}

/// Runs over outcomes in increasing order and keeps the one with the wanted rank among those on the wanted side.
class RankPicker {
 public:
  RankPicker(std::uint32_t inside, std::uint32_t rank) noexcept : inside_(inside), rank_(rank) {}
  /// `is_inside` is all ones or zero.
  void see(std::uint32_t outcome, std::uint32_t is_inside) noexcept {
    const std::uint32_t same_side = ~(is_inside ^ inside_);
    picked_ |= outcome & same_side & mask_less(rank_, 1);
    rank_ -= 1u & same_side;  // passes zero once; the next time it is zero again lies 2^32 outcomes away
  }
  [[nodiscard]] std::uint32_t picked() const noexcept { return picked_; }

 private:
  std::uint32_t inside_;
  std::uint32_t rank_;
  std::uint32_t picked_ = 0;
};

}  // namespace sotto
