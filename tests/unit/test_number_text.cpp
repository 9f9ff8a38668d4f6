// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

TEST(NumberText, thousands_are_grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(NumberText, numbers_have_three_digits_and_a_minus_that_is_one) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(0.0123456), "0.0123");
  EXPECT_EQ(short_number(-21.84), "\u221221.8");
  EXPECT_EQ(short_number(123456), "123456");
  EXPECT_EQ(short_number(1.5e12), "1.50e+12");
  EXPECT_EQ(short_number(1.5e-9), "1.50e-09");
  EXPECT_EQ(short_number(5e-324), "4.94e-324");
  EXPECT_EQ(short_number(k_nan), "unknown");
  EXPECT_EQ(signed_number(std::numeric_limits<double>::infinity()), "unknown");
  EXPECT_EQ(signed_number(0.5), "+0.500");
}

TEST(NumberText, what_rounds_to_zero_has_no_sign) {
  EXPECT_EQ(fixed(-0.0004, 3), "0.000");
  EXPECT_EQ(signed_fixed(0.0004, 3), "0.000");
  EXPECT_EQ(signed_fixed(0.0006, 3), "+0.001");
  EXPECT_EQ(signed_fixed(-1.25, 1), "\u22121.2");
  EXPECT_EQ(signed_fixed(k_nan, 3), "unknown");
}

TEST(NumberText, chosen_numbers_keep_their_digits) {
  EXPECT_EQ(plain_number(2), "2");
  EXPECT_EQ(plain_number(0.05), "0.05");
  EXPECT_EQ(plain_number(1.9997), "1.9997");
}

TEST(NumberText, small_probabilities_are_bounds) {
  EXPECT_EQ(p_text(0), "< 0.0001");
  EXPECT_EQ(p_text(0.00042), "0.0004");
  EXPECT_EQ(p_text(0.0321), "0.032");
  EXPECT_EQ(p_text(0.5), "0.50");
  EXPECT_EQ(p_text(k_nan), "unknown");
}

TEST(IntervalChart, long_names_are_cut_between_letters) {
  const IntervalRow row{"温度センサーの平均値と最大値の差を記録", 1, 0, 2, {}};
  const std::string svg = interval_chart({&row, 1}, "t", "d").text();
  EXPECT_NE(svg.find("温度センサーの平均値と最大値\u2026<"), std::string::npos) << svg;
  const IntervalRow latin{std::string(60, 'x'), 1, 0, 2, {}};
  EXPECT_NE(interval_chart({&latin, 1}, "t", "d").text().find(">" + std::string(28, 'x') + "\u2026<"),
            std::string::npos);
}

TEST(IntervalChart, an_unknown_interval_is_not_drawn) {
  const IntervalRow row{"a", 1, k_nan, k_nan, {}};
  const std::string svg = interval_chart({&row, 1}, "t", "d", ChartScale::number).text();
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("whisker"), std::string::npos);
  EXPECT_NE(svg.find("class=\"point\""), std::string::npos);
}

TEST(IntervalChart, what_is_not_found_is_a_ring_and_a_word) {
  const IntervalRow row{"a", 1, 0, 2, {}, 1.5, true, "not found"};
  const std::string svg = interval_chart({&row, 1}, "t", "d", ChartScale::number).text();
  EXPECT_NE(svg.find("class=\"ring\""), std::string::npos);
  EXPECT_NE(svg.find(">not found</text>"), std::string::npos);
}

TEST(Escape, leaves_nothing_that_a_browser_would_take_for_markup) {
  EXPECT_EQ(escape("<a href='x' title=\"y\">&").text(), "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;");
  EXPECT_EQ(escape(std::string_view("a\0b\x1b"
                                    "c\td\n",
                                    8))
                .text(),
            "a\\x00b\\x1bc\td\n");
}

}  // namespace
}  // namespace sotto::analyzer::html
