// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/study/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/math/gaussian_delivered.hpp"
#include "sotto/analyzer/propose/defaults.hpp"
#include "sotto/certified.hpp"

namespace sotto::analyzer {
namespace {

std::string file(std::string_view epsilon, std::string_view question) {
  return "name = \"test\"\n[privacy]\nepsilon = " + std::string(epsilon) + "\n[question]\n" + std::string(question) +
         "\n";
}

TEST(StudyEpsilon, nine_decimals_are_taken_exactly_and_back_again) {
  // A prime step visits decimals of every shape; each must come back as it was written.
  for (EpsilonNano nano = 1; nano <= k_epsilon_max; nano += 1'000'003) {
    const std::string text = nats_text(nano);
    const Result<EpsilonNano> read = epsilon_from_nats(std::stod(text), "here");
    ASSERT_TRUE(read.ok()) << text;
    ASSERT_EQ(read.value(), nano) << text;
  }
}

TEST(StudyEpsilon, more_decimals_are_cut_off_never_rounded_up) {
  EXPECT_EQ(epsilon_from_nats(0.9999999999, "here").value(), 999'999'999u);
  EXPECT_EQ(epsilon_from_nats(1.0000000009, "here").value(), 1'000'000'000u);
  EXPECT_EQ(epsilon_from_nats(12.0, "here").value(), k_epsilon_max);
}

TEST(Study, what_it_compiles_passes_the_devices_own_check_under_the_cap) {
  const Result<Study> study = read_study(file("2", "kind = \"vote\"\nfeatures = 300"), "here");
  ASSERT_TRUE(study.ok()) << study.error().message();
  Certified<VoteSpec> certified;
  EXPECT_EQ(certify(std::get<VoteSpec>(study.value().spec), 2 * k_epsilon_one, certified), Status::ok);
  EXPECT_EQ(certify(std::get<VoteSpec>(study.value().spec), 2 * k_epsilon_one - 1, certified), Status::over_cap);
}

TEST(Study, no_question_delivers_more_than_it_declares) {
  for (const char* question :
       {"kind = \"vote\"\nfeatures = 2", "kind = \"vote\"\nfeatures = 100000", "kind = \"bin\"\nbins = 9",
        "kind = \"bin\"\nbins = 63\nmechanism = \"hadamard_response\"", "kind = \"block\"\nfeatures = 30\nwidth = 24",
        "kind = \"value\"", "kind = \"value\"\nmechanism = \"laplace\"\nradius = 9",
        "kind = \"direction\"\ndimension = 2", "kind = \"direction\"\ndimension = 16",
        "kind = \"direction\"\ndimension = 300"}) {
    for (const char* epsilon : {"0.1", "0.5", "1", "2", "4", "8", "12"}) {
      const Result<Study> study = read_study(file(epsilon, question), "here");
      ASSERT_TRUE(study.ok()) << question << " at " << epsilon << ": " << study.error().message();
      const ChannelFacts facts = facts_of(study.value().spec);
      EXPECT_LE(facts.delivered, facts.declared) << question << " at " << epsilon;
      EXPECT_GE(facts.payload_bits, 1u);
    }
  }
}

TEST(Study, the_default_window_is_the_one_with_the_least_worst_case) {
  const struct {
    EpsilonNano epsilon;
    std::uint32_t outcomes, width;
  } best[] = {{1'000'000'000, 2, 1},
              {2'000'000'000, 3, 1},
              {3'000'000'000, 7, 2},
              {4'000'000'000, 12, 3},
              {5'000'000'000, 26, 5}};
  for (const auto& b : best) {
    const AnySpec chosen = default_window(b.epsilon).value();
    EXPECT_EQ(std::get<WindowSpec>(chosen).outcomes, b.outcomes);
    EXPECT_EQ(std::get<WindowSpec>(chosen).width, b.width);
  }
}

TEST(Study, default_flips_of_one_sign_are_none) {
  for (const EpsilonNano epsilon : {k_epsilon_one / 10, k_epsilon_one, 8 * k_epsilon_one})
    EXPECT_EQ(default_flips(epsilon, 1), 0u);
  // At 12 nats a word of four signs gets through as it is; near zero the halves share.
  EXPECT_EQ(default_flips(12 * k_epsilon_one, 4), 0u);
  EXPECT_EQ(default_flips(k_epsilon_one / 10, 5), 2u);
}

TEST(Study, an_error_names_file_line_value_and_fix) {
  const Result<Study> study = read_study(file("-1", "kind = \"vote\"\nfeatures = 8"), "somewhere.toml");
  ASSERT_FALSE(study.ok());
  EXPECT_EQ(study.error().code, "study.bad_epsilon");
  EXPECT_NE(study.error().what.find("somewhere.toml:3: privacy.epsilon"), std::string::npos);
  EXPECT_EQ(study.error().value, "-1");
  EXPECT_FALSE(study.error().fix.empty());
}

TEST(Study, any_prefix_of_a_file_gives_a_study_or_an_error) {
  const std::string whole =
      file("2.5", "kind = \"direction\"\ndimension = 40\nmechanism = \"sphere_code\"\ncodewords = 256\nclosest = 9");
  ASSERT_TRUE(read_study(whole, "here").ok());
  int errors = 0;
  for (std::size_t length = 0; length < whole.size(); ++length)
    errors += !read_study(whole.substr(0, length), "here").ok();
  EXPECT_GT(errors, 100);
}

TEST(PrivacyStatement, a_best_guess_is_never_stated_below_its_value) {
  for (EpsilonNano epsilon = k_epsilon_one / 4; epsilon <= k_epsilon_max; epsilon += k_epsilon_one / 4) {
    AnySpec spec = VoteSpec{epsilon, 16, 0, 0, 0};
    ASSERT_EQ(compile_spec(spec, k_epsilon_max), Status::ok);
    const PrivacyStatement statement = state_privacy(spec);
    const std::string& sentence = statement.sentences[2];
    const std::size_t at = sentence.find("at most ");
    ASSERT_NE(at, std::string::npos) << sentence;
    EXPECT_GE(std::stod(sentence.substr(at + 8)), statement.best_guess - 1e-9) << sentence;
    EXPECT_EQ(statement.weak, epsilon > 4 * k_epsilon_one);
  }
}

TEST(PrivacyStatement, a_number_that_is_less_likely_than_delta_is_not_called_impossible) {
  // Far more variance than the point needs: the promise is the declared one, and the chance is below what a double holds.
  const GaussianSpec much{8 * k_epsilon_one, 184467440737095u, 1, 1u << 25, 8};
  const PrivacyStatement statement = state_privacy(much);
  EXPECT_LT(statement.epsilon, 0.01);
  EXPECT_NEAR(statement.factor, std::exp(8.0), 1e-9);
  EXPECT_NE(statement.sentences[2].find("e-300 it is more"), std::string::npos) << statement.sentences[2];
  // Less than it needs, as nobody may send it: a report always tells more.
  EXPECT_EQ(chance_above_epsilon({k_epsilon_one, 184467440737095u, 512, 1, 8}), 1);
  EXPECT_EQ(chance_above_epsilon({k_epsilon_one, 184467440737095u, 512, 1, 1}), 1);
}

}  // namespace
}  // namespace sotto::analyzer
