// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "fold.hpp"

namespace sotto {

[[gnu::noinline]] std::uint32_t fold_words(const void* words, std::uint32_t bytes) noexcept {
  using Word = std::uint32_t __attribute__((may_alias));
  const auto* const begin = static_cast<const Word*>(words);
  constexpr std::uint32_t k_factor = 0x9e3779b1;
  std::uint32_t fold = k_factor;  // any value except 0
  // Whole words only: a half-written header may state any number of bytes.
  for (const Word* word = begin + bytes / 4; word != begin;) {
    fold ^= *--word;
    fold ^= fold >> 15;  // before the product, so that the top bit affects the others
    fold *= k_factor;
    fold ^= fold >> 13;  // after it, or three flipped bits, two of them in one word, would cancel
  }
  return fold;
}

}  // namespace sotto
