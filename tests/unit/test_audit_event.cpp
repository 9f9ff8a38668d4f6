// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "sotto/analyzer/audit/captured.hpp"
#include "sotto/analyzer/audit/event.hpp"

namespace sotto::analyzer::audit {
namespace {

constexpr double k_alpha = 1e-5;
using Make = std::function<Outcome(bool first, std::mt19937_64& random)>;

Runs made(std::size_t runs, const Make& make, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Runs out;
  for (std::size_t i = 0; i < runs; ++i) {
    out.first.push_back(make(true, random));
    out.second.push_back(make(false, random));
  }
  return out;
}

Outcome byte(int value) { return {"", {std::string(1, static_cast<char>(value))}, {}}; }

/// Randomized response over `size` categories, answer 0 or 1, at this many nats.
Make response(double epsilon, int size) {
  return [=](bool first, std::mt19937_64& random) {
    const int answer = first ? 0 : 1;
    const double keep = std::exp(epsilon) / (std::exp(epsilon) + size - 1);
    if (std::uniform_real_distribution<>()(random) < keep) return byte(answer);
    const int lie = std::uniform_int_distribution<>(0, size - 2)(random);
    return byte(lie + (lie >= answer ? 1 : 0));
  };
}

TEST(MeasuredEvent, comes_near_the_epsilon_of_randomized_response_and_never_above) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MeasuredEvent event = measure_reports(made(20'000, response(2, 4), seed), k_alpha, 0, false);
    EXPECT_LE(event.lower_bound, 2) << seed;
    EXPECT_GT(event.lower_bound, 1.7) << seed;
    EXPECT_EQ(event.counts.runs, 10'000u);
  }
}

TEST(MeasuredEvent, exceeds_a_promise_that_is_too_low) {
  EXPECT_GT(measure_reports(made(20'000, response(2.4, 4)), k_alpha, 0, false).lower_bound, 2);
}

TEST(MeasuredEvent, shows_nothing_where_nothing_differs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto blind = [](bool, std::mt19937_64& random) {
      return byte(std::uniform_int_distribution<>(0, 63)(random));
    };
    EXPECT_EQ(measure_reports(made(2000, blind, seed), k_alpha, 0, false).lower_bound, 0) << seed;
  }
  EXPECT_EQ(measure_reports(made(2000, [](bool, std::mt19937_64&) { return byte(1); }), k_alpha, 0, false).name,
            "nothing differs");
}

TEST(MeasuredEvent, finds_what_only_two_reports_together_show) {
  const auto joint = [](bool first, std::mt19937_64& random) {  // each byte alone is uniform
    const int one = std::uniform_int_distribution<>(0, 255)(random);
    const int two = first ? one : std::uniform_int_distribution<>(0, 255)(random);
    return Outcome{"", {std::string(1, static_cast<char>(one)), std::string(1, static_cast<char>(two))}, {}};
  };
  const MeasuredEvent event = measure_reports(made(4000, joint), k_alpha, 0, false);
  EXPECT_GT(event.lower_bound, 4);
  EXPECT_EQ(event.name, "equal");
}

TEST(MeasuredEvent, finds_a_direction_in_which_the_noise_of_numbers_vanishes) {
  const auto noisy = [](bool first, std::mt19937_64& random) {  // both numbers with the same noise
    const int noise = static_cast<int>(std::lround(std::normal_distribution<>(0, 1000)(random)));
    std::string payload;
    for (const int v : {noise, noise + (first ? 20 : -20)}) {
      for (int i = 0; i < 3; ++i) payload += static_cast<char>(v >> (8 * i));
    }
    return Outcome{"", {payload}, {}};
  };
  EXPECT_GT(measure_reports(made(4000, noisy), k_alpha, 1e-6, true).lower_bound, 2);
}

TEST(MeasuredEvent, sees_time_as_an_output) {
  const auto timed = [](bool first, std::mt19937_64& random) {
    Outcome out = byte(0);
    out.time = 1000 + std::uniform_int_distribution<std::uint64_t>(0, 9)(random) + (first ? 5 : 0);
    return out;
  };
  EXPECT_GT(measure_times(made(4000, timed), k_alpha, 0).lower_bound, 3);
  EXPECT_EQ(measure_reports(made(4000, timed), k_alpha, 0, false).lower_bound, 0);
}

TEST(MeasuredEvent, is_not_misled_by_contexts_that_differ) {
  // What a context makes likely says nothing about the data.
  const auto public_coins = [i = 0](bool, std::mt19937_64& random) mutable {
    const int context = i++ / 2 % 7;
    Outcome out = byte(std::uniform_int_distribution<>(0, 9)(random) == 0 ? 0 : context);
    out.context = std::to_string(context);
    return out;
  };
  EXPECT_EQ(measure_reports(made(7000, public_coins), k_alpha, 0, false).lower_bound, 0);
}

// Captured files.

Result<Runs> captured(const std::string& reports, const std::string& truth) {
  return read_captured(reports, truth, whole_report);
}

std::string code(const Result<Runs>& result) { return result ? "read" : std::string(result.error().code); }

/// Runs of both data sets in turn.
std::pair<std::string, std::string> files(std::size_t runs, const std::string& behind = "") {
  std::string reports = "# a capture\n", truth;
  for (std::size_t i = 0; i < runs; ++i) {
    reports += fmt::format("{:02x}{}\n", i % 2 == 0 ? 1 : 2, behind);
    truth += i % 2 == 0 ? "1\n" : "2\n";
  }
  return {reports, truth};
}

TEST(Captured, runs_are_read_with_context_time_and_refusals) {
  const auto [reports, truth] = files(800, "+- context=a time=17");
  const Result<Runs> runs = captured(reports, truth);
  ASSERT_EQ(code(runs), "read");
  const Outcome& first = runs.value().first.front();
  EXPECT_EQ(first.parts, (std::vector<std::optional<std::string>>{"\x01", std::nullopt}));
  EXPECT_EQ(first.time, 17u);
  EXPECT_NE(first.context.find('a'), std::string::npos);
  EXPECT_EQ(runs.value().second.size(), 400u);
}

TEST(Captured, files_that_do_not_fit_are_refused_by_name) {
  const auto [reports, truth] = files(800);
  EXPECT_EQ(code(captured(reports, truth)), "read");
  EXPECT_EQ(code(captured(reports, truth + "1\n")), "audit.unequal");
  EXPECT_EQ(code(captured(reports + "03\n", truth + "1\n")), "audit.unequal") << "one more of the first data set";
  EXPECT_EQ(code(captured(reports + "03\n", truth + "3\n")), "audit.bad_truth");
  EXPECT_EQ(code(captured(reports + "0\n", truth + "1\n")), "audit.bad_report");
  EXPECT_EQ(code(captured(reports + "0g\n", truth + "1\n")), "audit.bad_report");
  EXPECT_EQ(code(captured(reports + "00 when=3\n", truth + "1\n")), "audit.bad_report");
  EXPECT_EQ(code(captured(reports + "00 time=3s\n", truth + "1\n")), "audit.bad_report");
  EXPECT_EQ(code(captured(reports + "00+00\n", truth + "1\n")), "audit.uneven");
  EXPECT_EQ(code(captured(reports + "00 time=3\n", truth + "1\n")), "audit.uneven");
  EXPECT_EQ(code(captured("", "")), "audit.too_few");
  const auto [few, few_truths] = files(300);
  EXPECT_EQ(code(captured(few, few_truths)), "audit.too_few");
}

TEST(Captured, a_context_for_each_run_leaves_nothing_to_measure) {
  std::string reports, truth;
  for (int i = 0; i < 1000; ++i) {
    reports += fmt::format("01 context={}\n02 context={}\n", i, i);
    truth += "1\n2\n";
  }
  EXPECT_EQ(code(captured(reports, truth)), "audit.too_few");
}

}  // namespace
}  // namespace sotto::analyzer::audit
