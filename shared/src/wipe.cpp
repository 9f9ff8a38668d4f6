// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wipe.hpp"

namespace sotto {

// Both are out of line to save flash.
[[gnu::noinline]] void wipe(void* bytes, std::size_t size) noexcept {
  auto* const p = static_cast<std::uint8_t*>(bytes);
  while (size != 0) {
    p[--size] = 0;
    memory_seen(p);
  }
}

#if !defined(__ARM_ARCH_6M__)
[[gnu::noinline]] void wipe_words(WipedWord* words, std::size_t count) noexcept {
  for (; count != 0; --count) {
    *words++ = 0;
    memory_seen(words);
  }
}
#endif

}  // namespace sotto
