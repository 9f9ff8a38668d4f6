// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/hadamard.hpp"

namespace sotto {

void hadamard_wrap(std::int32_t* values, std::size_t size) noexcept {
  for (std::size_t half = 1; half < size; half <<= 1) {
    for (std::int32_t* group = values; group != values + size; group += 2 * half) {
      for (std::int32_t *a = group, *b = group + half; a != group + half; ++a, ++b) {
        const auto p = static_cast<std::uint32_t>(*a), q = static_cast<std::uint32_t>(*b);
        *a = static_cast<std::int32_t>(p + q);
        *b = static_cast<std::int32_t>(p - q);
      }
    }
  }
}

}  // namespace sotto
