// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/uniform.hpp"

#include "sotto/wide.hpp"

namespace sotto {

[[gnu::noinline]] std::uint32_t uniform_below(std::uint32_t (*word)(void* coins) noexcept, void* coins,
                                              std::uint32_t n) noexcept {
  if (n == 1) return 0;
  // Computed for every draw, although few need it: if it were computed for small remainders only, the duration would
  // show which ranks are possible.
  const std::uint32_t rejected = two_to_32_mod(n);
  for (;;) {
    const std::uint64_t product = multiply_32(word(coins), n);
    if (static_cast<std::uint32_t>(product) >= rejected) return static_cast<std::uint32_t>(product >> 32);
  }
}

}  // namespace sotto
