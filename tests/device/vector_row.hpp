// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"
#include "unity.h"

namespace sotto::vectors {

/// "row 12": which record of the vectors a failed assertion is about. Valid until the next one is made.
class Row {
 public:
  explicit Row(std::size_t n) noexcept {
    std::size_t digits = 1;
    for (std::size_t rest = n; rest >= 10; rest /= 10) ++digits;
    for (std::size_t i = digits; i-- > 0; n /= 10) text_[4 + i] = static_cast<char>('0' + n % 10);
    text_[4 + digits] = '\0';
  }
  [[nodiscard]] const char* text() const noexcept { return text_; }

 private:
  char text_[16] = "row ";
};

inline void expect(Status want, Status got, const Row& row) {
  TEST_ASSERT_EQUAL_UINT8_MESSAGE(static_cast<std::uint8_t>(want), static_cast<std::uint8_t>(got), row.text());
}
inline void expect(std::uint32_t want, std::uint32_t got, const Row& row) {
  TEST_ASSERT_EQUAL_HEX32_MESSAGE(want, got, row.text());
}
inline void expect64(std::uint64_t want, std::uint64_t got, const Row& row) {
  TEST_ASSERT_EQUAL_HEX64_MESSAGE(want, got, row.text());
}

}  // namespace sotto::vectors
