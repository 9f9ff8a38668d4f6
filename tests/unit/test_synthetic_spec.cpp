// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The words that describe a simulated world.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sotto/analyzer/simulate/synthetic_spec.hpp"

namespace sotto::analyzer {
namespace {

TEST(SyntheticWords, signals_are_a_number_or_uniform) {
  EXPECT_EQ(parse_signal("0.2").value().kind, Signal::Kind::equal);
  EXPECT_EQ(parse_signal("0.2").value().value, 0.2);
  EXPECT_EQ(parse_signal("-1e-1").value().value, -0.1);
  EXPECT_EQ(parse_signal("uniform").value().kind, Signal::Kind::uniform);
  for (const std::string word : {"", "nan", "inf", "0.2x", "Uniform", "uniform:1", "0.2 "}) {
    const auto signal = parse_signal(word);
    ASSERT_FALSE(signal.ok()) << word;
    EXPECT_EQ(signal.error().code, "simulate.bad_signal");
    EXPECT_EQ(signal.error().value, word);
  }
}

TEST(SyntheticWords, noises_are_a_deviation_uniform_or_student) {
  EXPECT_EQ(parse_noise("0").value().kind, Noise::Kind::gaussian);
  EXPECT_EQ(parse_noise("1.5").value().size, 1.5);
  EXPECT_EQ(parse_noise("uniform:0.5").value().kind, Noise::Kind::uniform);
  EXPECT_EQ(parse_noise("uniform:0.5").value().size, 0.5);
  EXPECT_EQ(parse_noise("student:3").value().kind, Noise::Kind::student);
  EXPECT_EQ(parse_noise("student:2.5").value().size, 2.5);
  for (const std::string word :
       {"", "-1", "uniform", "uniform:", "uniform:-1", "student:0", "student:nan", "cauchy:1", "1:2"}) {
    const auto noise = parse_noise(word);
    ASSERT_FALSE(noise.ok()) << word;
    EXPECT_EQ(noise.error().code, "simulate.bad_noise");
    EXPECT_EQ(noise.error().value, word);
  }
}

TEST(SyntheticWords, samples_are_a_count_or_a_range) {
  EXPECT_EQ(parse_samples("100").value().low, 100u);
  EXPECT_EQ(parse_samples("100").value().high, 100u);
  EXPECT_EQ(parse_samples("20:200").value().low, 20u);
  EXPECT_EQ(parse_samples("20:200").value().high, 200u);
  EXPECT_TRUE(parse_samples("1:1000000").ok());
  for (const std::string word : {"", "0", "-3", "5:4", "1:", ":5", "1:2:3", "1.5", "1:1000001", "99999999999"}) {
    const auto samples = parse_samples(word);
    ASSERT_FALSE(samples.ok()) << word;
    EXPECT_EQ(samples.error().code, "simulate.bad_samples");
  }
}

TEST(SyntheticWords, designs_have_names) {
  EXPECT_EQ(parse_design("independent").value(), Design::independent);
  EXPECT_EQ(parse_design("correlated").value(), Design::correlated);
  EXPECT_EQ(parse_design("rademacher").value(), Design::rademacher);
  EXPECT_EQ(parse_design("unit-ball").value(), Design::unit_ball);
  EXPECT_EQ(parse_design("unit_ball").error().code, "simulate.bad_design");
}

TEST(SyntheticWords, a_world_out_of_its_ranges_is_refused) {
  const SyntheticSpec good{.devices = 1, .samples_low = 1, .samples_high = 2, .features = 5, .nonzeros = 5};
  EXPECT_TRUE(check(good).ok());
  const auto refused = [&](auto&& change) {
    SyntheticSpec spec = good;
    change(spec);
    const auto checked = check(spec);
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().code, "simulate.bad_world");
  };
  refused([](auto& s) { s.devices = 0; });
  refused([](auto& s) { s.features = 0, s.nonzeros = 0; });
  refused([](auto& s) { s.features = 65536; });
  refused([](auto& s) { s.nonzeros = 6; });
  refused([](auto& s) { s.samples_low = 3; });
  refused([](auto& s) { s.samples_low = 0; });
  refused([](auto& s) { s.samples_high = 1000001; });
  refused([](auto& s) { s.signal.value = std::numeric_limits<double>::infinity(); });
  refused([](auto& s) { s.noise.size = -1; });
  refused([](auto& s) { s.noise = {Noise::Kind::student, 0}; });
  refused([](auto& s) { s.empty = 1.01; });
  refused([](auto& s) { s.empty = std::numeric_limits<double>::quiet_NaN(); });
  refused([](auto& s) { s.unit_q15 = 0; });
  refused([](auto& s) { s.unit_q15 = 32768; });
}

TEST(SyntheticWords, links_are_three) {
  for (const TargetLink link : {TargetLink::identity, TargetLink::cosine, TargetLink::logistic}) {
    EXPECT_EQ(parse_link(link_name(link)).value(), link);
    for (const double t : {-2.0, 0.0, 0.7}) {
      EXPECT_NEAR((link_value(link, t + 1e-5) - link_value(link, t - 1e-5)) / 2e-5, link_slope(link, t), 1e-8);
    }
  }
  EXPECT_EQ(parse_link("probit").error().code, "link.unknown");
  EXPECT_EQ(parse_link("probit").error().value, "probit");
}

}  // namespace
}  // namespace sotto::analyzer
