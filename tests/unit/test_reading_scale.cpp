// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// From a study's real offset and scale to the device's integers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sotto/analyzer/channel/reading_scale.hpp"

namespace sotto::analyzer {
namespace {

TEST(ReadingScaleFromDoubles, gives_the_nearest_q15) {
  std::mt19937_64 random{81};
  std::uniform_real_distribution<double> uniform{-1, 1};
  for (int trial = 0; trial < 200000; ++trial) {
    const double scale = std::copysign(std::exp2(22 + 22 * uniform(random)), uniform(random));  // 1 .. 2^44
    const double offset = std::clamp(uniform(random) * std::abs(scale) * 100, -2147483648.0, 2147483647.0);
    const auto integers = reading_scale(offset, scale);
    ASSERT_TRUE(integers.ok()) << integers.error().message();
    const double near = std::clamp(std::nearbyint(offset + 4 * uniform(random) * scale), -2147483648.0, 2147483647.0);
    const double exact = std::clamp((near - offset) / scale * 32768, -32768.0, 32767.0);
    ASSERT_NEAR(reading_q15_saturate(static_cast<std::int32_t>(near), integers.value()), exact,
                0.5 + std::ldexp(1, -14))
        << offset << ' ' << scale << ' ' << near;
  }
}

TEST(ReadingScaleFromDoubles, keeps_an_offset_between_two_readings) {
  const auto integers = reading_scale(-82.37, 40);  // dBm
  ASSERT_TRUE(integers.ok());
  EXPECT_EQ(reading_q15_saturate(-82, integers.value()), 303);  // 0.37 / 40 * 32768 = 303.1
  EXPECT_EQ(reading_q15_saturate(-83, integers.value()), -516);
}

TEST(ReadingScaleFromDoubles, refuses_what_no_device_can_use) {
  constexpr double k_inf = std::numeric_limits<double>::infinity(), k_nan = std::numeric_limits<double>::quiet_NaN();
  for (const double scale : {0.0, k_inf, k_nan, 1e-5, 1e14}) {
    ASSERT_FALSE(reading_scale(0, scale).ok()) << scale;
    EXPECT_EQ(reading_scale(0, scale).error().code, "study.bad_scale");
  }
  for (const double offset : {k_inf, k_nan, 3e9}) {
    ASSERT_FALSE(reading_scale(offset, 100).ok()) << offset;
    EXPECT_EQ(reading_scale(offset, 100).error().code, "study.bad_offset");
  }
  EXPECT_FALSE(reading_scale(1e9, 1).ok());
}

}  // namespace
}  // namespace sotto::analyzer
