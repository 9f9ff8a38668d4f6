// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "fold.hpp"

namespace sotto {

[[gnu::noinline]] std::uint32_t fold_words(const void* words, std::uint32_t bytes) noexcept {
  using Word = std::uint32_t __attribute__((may_alias));
  const auto* const begin = static_cast<const Word*>(words);
  constexpr std::uint32_t k_factor = 0x9e3779b1;
  std::uint32_t fold = k_factor;  // anything but 0
  // Whole words: a torn head may say any number of bytes.
  for (const Word* word = begin + bytes / 4; word != begin;) {
    fold ^= *--word;
    fold ^= fold >> 15;  // before the product: the top bit reaches the others too
    fold *= k_factor;
    fold ^= fold >> 13;  // and behind it: else three bits, of which two lie in one word, cancel out
  }
  return fold;
}

}  // namespace sotto
