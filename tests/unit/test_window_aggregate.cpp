// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/window.hpp"

#include <cmath>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/window_law.hpp"
#include "sotto/analyzer/propose/window.hpp"

namespace sotto::analyzer {
namespace {

WindowSpec spec_of(std::uint32_t outcomes, std::uint32_t width, double epsilon = 1) {
  return derived(WindowSpec{static_cast<EpsilonNano>(epsilon * 1e9), outcomes, width, 0});
}

/// Mean and variance of the decoded report for an answer, by adding up the channel: level by level, outcome by outcome.
struct Enumerated {
  double mean = 0, variance = 0;
};
Enumerated enumerate(const WindowSpec& spec, double x) {
  const WindowLaw law{spec};
  const std::uint32_t steps = spec.outcomes - spec.width;
  const double inside = std::ldexp(spec.threshold, -32);
  const double at = (x + 1) / 2 * steps;
  double mean = 0, square = 0;
  for (std::uint32_t level = 0; level <= steps; ++level) {
    const double odds = std::max(0.0, 1 - std::abs(at - level));
    for (std::uint32_t j = 0; j < spec.outcomes; ++j) {
      const bool in = j >= level && j < level + spec.width;
      const double p = odds * (in ? inside / spec.width : (1 - inside) / steps);
      mean += p * law.decode(j);
      square += p * law.decode(j) * law.decode(j);
    }
  }
  return {mean, square - mean * mean};
}

TEST(WindowLaw, the_decoded_report_has_the_answer_as_its_mean_and_the_stated_variance) {
  for (const auto& [outcomes, width, epsilon] :
       {std::tuple{2u, 1u, 1.0}, {3u, 1u, 2.0}, {7u, 2u, 3.0}, {12u, 3u, 4.0}, {48u, 7u, 6.0}, {125u, 10u, 8.0}}) {
    const WindowSpec spec = spec_of(outcomes, width, epsilon);
    double worst = 0;
    for (int i = -500; i <= 500; ++i) {
      const double x = i / 500.0;
      const Enumerated e = enumerate(spec, x);
      ASSERT_NEAR(e.mean, x, 1e-12);
      ASSERT_NEAR(WindowLaw{spec}.variance(x), e.variance, 1e-11);
      worst = std::max(worst, e.variance);
    }
    EXPECT_GE(WindowLaw{spec}.worst_variance(), worst);
    EXPECT_LE(WindowLaw{spec}.worst_variance(), worst * 1.001);
  }
}

TEST(WindowLaw, has_the_certified_constants) {
  EXPECT_EQ(spec_of(7, 2, 3).threshold, 3819556050u);
  EXPECT_NEAR(WindowLaw{spec_of(7, 2, 3)}.step(), .473354, 5e-7);
  EXPECT_EQ(spec_of(12, 3, 4).threshold, 4071263897u);
  EXPECT_NEAR(WindowLaw{spec_of(12, 3, 4)}.step(), .238807, 5e-7);
  EXPECT_EQ(spec_of(48, 7, 6).threshold, 4233503573u);
  EXPECT_NEAR(WindowLaw{spec_of(48, 7, 6)}.step(), .049612, 5e-7);
  EXPECT_EQ(spec_of(3, 1, 2).threshold, 3380079313u);
  EXPECT_NEAR(WindowLaw{spec_of(3, 1, 2)}.step(), 1.469553, 5e-7);
}

TEST(WindowAggregate, the_mean_and_its_errors_are_those_of_the_decoded_reports) {
  const WindowSpec spec = spec_of(7, 2, 3);
  const WindowLaw law{spec};
  auto a = WindowAggregate::open(spec).value();
  double sum = 0, square = 0;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const std::uint32_t j = i * i % 7;
    ASSERT_TRUE(a.absorb(j));
    sum += law.decode(j);
    square += law.decode(j) * law.decode(j);
  }
  const ScalarMean m = a.close();
  EXPECT_NEAR(m.mean, sum / 200, 1e-12);
  EXPECT_NEAR(m.standard_error, std::sqrt((square - sum * sum / 200) / 199 / 200), 1e-12);
  EXPECT_NEAR(m.noise_error, std::sqrt(law.worst_variance() / 200), 1e-15);
  EXPECT_EQ(m.bias_bound, 0);
}

TEST(WindowAggregate, a_report_that_is_no_outcome_is_counted_and_not_used) {
  auto a = WindowAggregate::open(spec_of(3, 1)).value();
  EXPECT_TRUE(a.absorb(2u));
  EXPECT_FALSE(a.absorb(3u));
  const std::vector<std::uint32_t> more(100, 3);
  EXPECT_EQ(a.absorb(more), 0u);
  EXPECT_EQ(a.close().used, 1u);
  EXPECT_EQ(a.close().refused, 101u);
}

TEST(WindowAggregate, with_no_report_nothing_is_known) {
  const ScalarMean m = WindowAggregate::open(spec_of(3, 1)).value().close();
  EXPECT_EQ(m.mean, 0);
  EXPECT_TRUE(std::isinf(m.standard_error));
  EXPECT_TRUE(std::isinf(m.noise_error));
}

TEST(WindowAggregate, order_and_grouping_never_change_the_bytes) {
  expect_any_order_gives_the_same_bytes(
      WindowAggregate::open(spec_of(12, 3)).value(), 300,
      [](WindowAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(i * i % 14)); });
}

TEST(WindowAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = WindowAggregate::open(spec_of(7, 2)).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(i % 9));
  expect_total_loading(spec_of(7, 2), a);
}

TEST(WindowAggregate, another_spec_is_refused) {
  const WindowSpec spec = spec_of(7, 2);
  expect_another_spec_is_refused(WindowAggregate::open(spec).value(), spec,
                                 WindowAggregate::open(spec_of(7, 3)).value());
}

TEST(WindowAggregate, a_bad_spec_opens_nothing) {
  expect_refused(WindowAggregate::open({k_epsilon_one, 129, 2, 1}), "spec.bad_channel");
  expect_refused(WindowAggregate::open({k_epsilon_one, 4, 4, 1}), "spec.bad_channel");
  expect_refused(WindowAggregate::open({k_epsilon_one, 4, 2, ~0u}), "spec.overspent");
  expect_refused(WindowAggregate::open({k_epsilon_one, 4, 2, 1u << 31}), "spec.no_information");
}

TEST(ProposeWindow, finds_the_tabled_channel_and_its_worst_variance) {
  struct Row {
    double epsilon;
    std::uint32_t outcomes, width;
    double worst, half_digit;
  };
  for (const Row& row : {Row{.5, 2, 1, 16.67, 5e-3},
                         {1, 2, 1, 4.683, 5e-4},
                         {1.5, 3, 1, 1.936, 5e-4},
                         {2, 3, 1, 1.000, 5e-4},
                         {3, 7, 2, .372, 5e-4},
                         {4, 12, 3, .159, 5e-4},
                         {5, 26, 5, .0729, 5e-5},
                         {6, 48, 7, .0347, 5e-5},
                         {8, 125, 10, .0084, 5e-5}}) {
    const auto p = propose_window(static_cast<EpsilonNano>(row.epsilon * 1e9)).value();
    EXPECT_EQ(p.spec.outcomes, row.outcomes) << row.epsilon;
    EXPECT_EQ(p.spec.width, row.width) << row.epsilon;
    EXPECT_NEAR(p.worst_variance, row.worst, row.half_digit) << row.epsilon;
    EXPECT_TRUE(WindowAggregate::open(p.spec).ok());
  }
}

TEST(ProposeWindow, keeps_to_the_number_of_outcomes_that_the_wire_holds) {
  const auto nibble = propose_window(6 * k_epsilon_one, 16).value();
  EXPECT_LE(nibble.spec.outcomes, 16u);
  EXPECT_NEAR(WindowLaw{spec_of(16, 2, 6)}.worst_variance(), .0367, 5e-5);
  EXPECT_LE(nibble.worst_variance, WindowLaw{spec_of(16, 2, 6)}.worst_variance());
}

TEST(ProposeWindow, refuses_what_no_device_accepts) {
  expect_refused(propose_window(0), "spec.bad_epsilon");
  expect_refused(propose_window(13 * k_epsilon_one), "spec.bad_epsilon");
  expect_refused(propose_window(k_epsilon_one, 1), "spec.bad_channel");
  expect_refused(propose_window(k_epsilon_one, 129), "spec.bad_channel");
}

}  // namespace
}  // namespace sotto::analyzer
