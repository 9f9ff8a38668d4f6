// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wipe.hpp"

namespace sotto {

// Both are out of line to save flash.
[[gnu::noinline]] void wipe_words(WipedWord* words, std::size_t count) noexcept {
  for (; count != 0; --count) {
    *words++ = 0;
    memory_seen(words);
  }
}

[[gnu::noinline]] void wipe(void* bytes, std::size_t size) noexcept {
  for (auto* p = static_cast<std::uint8_t*>(bytes); size != 0; --size) {
    *p++ = 0;
    memory_seen(p);
  }
}

}  // namespace sotto
