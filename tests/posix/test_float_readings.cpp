// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Floats become rows of 16 bits as whole numbers do, and what is not a number is missing.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "sotto_posix.h"

namespace {

TEST(FloatReadings, of_whole_numbers_are_placed_as_integers_are) {
  std::mt19937_64 random{1};
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t rows = 1 + random() % 60;
    const auto width = std::int32_t{1} << (1 + random() % 23);
    std::vector<float> floats(rows);
    std::vector<std::int32_t> whole(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      whole[i] = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(width)) - width / 3;
      floats[i] = static_cast<float>(whole[i]);
      if (random() % 9 != 0) continue;
      whole[i] = SOTTO_NO_WIDE_READING;
      floats[i] = random() % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::infinity();
    }
    std::vector<std::int16_t> from_floats(rows), from_whole(rows);
    sotto_posix_place_floats(floats.data(), 1, static_cast<std::uint32_t>(rows), from_floats.data(), 1);
    sotto_place_column(whole.data(), 1, static_cast<std::uint32_t>(rows), from_whole.data(), 1);
    ASSERT_EQ(from_floats, from_whole) << "trial " << trial;
  }
}

TEST(FloatReadings, do_not_depend_on_unit_and_offset) {
  std::mt19937_64 random{2};
  std::vector<float> once(80), twice(80);
  for (std::size_t i = 0; i < once.size(); ++i) {
    once[i] = static_cast<float>(static_cast<std::int32_t>(random() % 4096)) / 16;
    twice[i] = once[i] * 0.3125F - 1000;  // exact: few bits are used
  }
  std::vector<std::int16_t> a(once.size()), b(once.size());
  sotto_posix_place_floats(once.data(), 1, 80, a.data(), 1);
  sotto_posix_place_floats(twice.data(), 1, 80, b.data(), 1);
  EXPECT_EQ(a, b);
}

TEST(FloatReadings, without_a_range_are_zero_or_missing) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::max();
  std::int16_t out[3] = {1, 1, 1};
  const float same[] = {2.5F, nan, 2.5F};
  sotto_posix_place_floats(same, 1, 3, out, 1);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], SOTTO_NO_READING);
  const float none[] = {nan, nan, nan};
  sotto_posix_place_floats(none, 1, 3, out, 1);
  EXPECT_EQ(out[2], SOTTO_NO_READING);
  const float ends[] = {-far, 0, far};
  sotto_posix_place_floats(ends, 1, 3, out, 1);
  EXPECT_EQ(out[0], -32767);
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], 32767);
}

}  // namespace
