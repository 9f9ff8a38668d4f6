// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_many = 100000;

TEST(Measured, r2_is_what_the_model_takes_off_the_variance) {
  const Validation v = number_gain_of_all({0.3, 0.01, k_many}, {1.5, 0.001, k_many});
  EXPECT_NEAR(v.r2(), 0.2, 1e-12);
  EXPECT_NEAR(v.low(), 0.2 - 1.96 * 0.01 / 1.5, 1e-5);
  EXPECT_NEAR(v.high(), 0.2 + 1.96 * 0.01 / 1.5, 1e-5);
  EXPECT_EQ(v.against, Against::all);
  EXPECT_LT(v.gain_low, v.least);
  EXPECT_GT(v.gain_high, v.most);
  // A variance that is hardly known widens the interval in proportion to R^2, and not at all around 0.
  EXPECT_GT(number_gain_of_all({0.3, 0.01, k_many}, {1.5, 0.5, k_many}).high() - v.r2(), 0.12);
  EXPECT_NEAR(number_gain_of_all({0, 0.01, k_many}, {1.5, 0.5, k_many}).high(), 1.96 * 0.01 / 1.5, 1e-5);
  // A model that is far too long: every bound stays one.
  const Validation bad = number_gain_of_all({-50, 1, k_many}, {1, 0.1, k_many});
  EXPECT_LT(bad.gain_low, bad.gain);
  EXPECT_GT(bad.gain_low, -1);
}

TEST(Measured, classes_are_compared_with_the_larger_one_whichever_it_is) {
  for (const double upper : {0.4, -0.4}) {
    const Validation v = class_gain_of_all({upper, 0.003, k_many}, {0.6, 0.004, k_many});
    EXPECT_NEAR(v.gain, 0.8 - 0.7, 1e-12);
    EXPECT_NEAR(v.gain_low, 0.1 - 1.96 * 0.0025, 1e-4);
    EXPECT_NEAR(v.error, 0.2, 1e-12);
    EXPECT_NEAR(v.error_high, 0.2 + 1.96 * 0.002, 1e-4);
    EXPECT_NEAR(v.r2(), 0.1, 1e-12);
  }
  // Equal classes: the noise in the larger one lowers the estimate, and is taken back in the upper bound only.
  const Validation even = class_gain_of_all({0.01, 0.01, k_many}, {0.5, 0.0001, k_many});
  EXPECT_NEAR(even.gain, 0.245, 1e-12);
  EXPECT_NEAR(even.gain_high, 0.25 + 1.96 * 0.005, 1e-4);
}

TEST(Measured, few_reports_have_wide_bounds) {
  const double wide = gain_of({0.1, 0.01, 5}, 1).gain_high, narrow = gain_of({0.1, 0.01, k_many}, 1).gain_high;
  EXPECT_NEAR(narrow - 0.1, 0.0196, 1e-5);
  EXPECT_NEAR(wide - 0.1, 0.02776, 1e-5);
  EXPECT_EQ(gain_of({0.1, 9, 5}, 1).gain_high, 1);
  EXPECT_GT(gain_of({0.1, 9, 5}, std::numeric_limits<double>::infinity()).gain_high, 1);
}

Model model_with_a_found_variable() {
  Model model;
  Coefficient c;
  c.estimate = c.last_cohort = 0.3;
  c.standard_error = 0.01;
  c.low = 0.28;
  c.high = 0.32;
  c.p_value = 1e-9;
  c.found = true;
  model.coefficients.push_back(c);
  return model;
}

TEST(Measured, a_model_that_loses_to_the_mean_of_all_has_found_nothing) {
  Model model = model_with_a_found_variable();
  model.validation = number_gain_of_all({-0.5, 0.05, k_many}, {1, 0.01, k_many});
  judge("", model);
  EXPECT_EQ(model.verdict, Verdict::cannot_learn);
  EXPECT_FALSE(model.coefficients[0].found);
  EXPECT_TRUE(std::isnan(model.coefficients[0].low));
  EXPECT_EQ(model.coefficients[0].p_value, 1);
  EXPECT_EQ(model.validation.gain_low, -1);
  EXPECT_EQ(model.validation.gain_high, 0);
  EXPECT_NE(model.why_verdict.find("predicts worse than the mean of all"), std::string::npos);
}

// A wrong offset makes variables that tell all rows the larger class: no more rows are right, and no fewer.
TEST(Measured, a_model_of_classes_has_to_win_to_have_found_anything) {
  Model model = model_with_a_found_variable();
  model.validation = class_gain_of_all({0.4, 0.01, k_many}, {0.4, 0.01, k_many});
  const double low = model.validation.gain_low;
  judge("", model);
  EXPECT_EQ(model.verdict, Verdict::cannot_learn);
  EXPECT_FALSE(model.coefficients[0].found);
  EXPECT_TRUE(std::isnan(model.coefficients[0].high));
  EXPECT_EQ(model.validation.gain_low, low) << "what was measured stays";
  EXPECT_NE(model.why_verdict.find("nothing in it is called found"), std::string::npos);
  Model unknown = model_with_a_found_variable();
  unknown.validation = class_gain_of_all({0.3, 0.1, 100}, {0.4, 0.1, 100});
  judge("", unknown);
  EXPECT_EQ(unknown.verdict, Verdict::uncertain);
  EXPECT_FALSE(unknown.coefficients[0].found);
  Model useful = model_with_a_found_variable();
  useful.validation = class_gain_of_all({0.2, 0.01, k_many}, {0.4, 0.01, k_many});
  judge("", useful);
  EXPECT_TRUE(useful.coefficients[0].found);
}

TEST(Measured, a_model_through_a_cosine_has_to_win_as_well) {
  Model model = model_with_a_found_variable();
  model.link = "cosine";
  model.validation = number_gain_of_all({0.02, 0.02, k_many}, {1, 0.01, k_many});
  judge("own words", model);
  EXPECT_EQ(model.verdict, Verdict::uncertain);
  EXPECT_FALSE(model.coefficients[0].found);
  EXPECT_GT(model.validation.gain_high, 0) << "what was measured stays";
  EXPECT_NE(model.why_verdict.find("which a wrong offset alone may do, so nothing"), std::string::npos);
  model = model_with_a_found_variable();
  model.validation = number_gain_of_all({0.02, 0.02, k_many}, {1, 0.01, k_many});
  judge("", model);
  EXPECT_TRUE(model.coefficients[0].found) << "the mean of all is no offset";
}

TEST(Measured, a_useless_model_keeps_what_its_own_cohort_confirmed) {
  // Small effects may be true and of no use to predict.
  for (const Validation& v :
       {number_gain_of_all({0.001, 0.001, k_many}, {1, 0.01, k_many}), gain_of({-0.1, 0.01, k_many}, 1)}) {
    Model model = model_with_a_found_variable();
    model.validation = v;
    judge("", model);
    EXPECT_EQ(model.verdict, Verdict::cannot_learn);
    EXPECT_TRUE(model.coefficients[0].found);
    EXPECT_EQ(model.coefficients[0].low, 0.28);
  }
}

TEST(Measured, pooling_weighs_by_inverse_variance) {
  const Measured both = pooled({1, 1, 10}, {2, 0.5, 5});
  EXPECT_NEAR(both.value, (1 * 1 + 2 * 4) / 5.0, 1e-12);
  EXPECT_NEAR(both.error, std::sqrt(1 / 5.0), 1e-12);
}

Verdict verdict_of(Validation v, bool has_model = true) {
  Model model;
  if (has_model) model.coefficients.emplace_back();
  model.validation = v;
  judge("nobody asked", model);
  return model.verdict;
}

TEST(Verdict, follows_from_the_measured_gain_alone) {
  EXPECT_EQ(verdict_of({}), Verdict::not_measured);
  EXPECT_EQ(verdict_of({}, false), Verdict::cannot_learn);
  EXPECT_EQ(verdict_of(gain_of({0.1, 0.01, 50}, 1), false), Verdict::cannot_learn);
  EXPECT_EQ(verdict_of(gain_of({0.1, 0.01, 50}, 1)), Verdict::learned);
  EXPECT_EQ(verdict_of(gain_of({0.1, 0.1, 50}, 1)), Verdict::uncertain);
  EXPECT_EQ(verdict_of(gain_of({0.019, 0.001, 50}, 1)), Verdict::uncertain) << "of no use, and not surely below";
  EXPECT_EQ(verdict_of(gain_of({0.01, 0.001, 50}, 1)), Verdict::cannot_learn) << "surely below what is of use";
  EXPECT_EQ(verdict_of(gain_of({-0.3, 0.01, 50}, 1)), Verdict::cannot_learn);
}

TEST(Verdict, says_what_was_measured_and_against_what) {
  Model model;
  model.coefficients.emplace_back();
  model.why_verdict = "own words";
  judge("validation = 0", model);
  EXPECT_EQ(model.why_verdict, "nothing was measured: validation = 0; own words");
  model.why_verdict = "own words";
  model.validation = number_gain_of_all({0.3, 0.01, 900}, {1, 0.001, 100});
  judge("", model);
  EXPECT_EQ(model.why_verdict,
            "predicts better than the mean of all by R^2 = 0.30 (0.28 to 0.32), measured on 1000 devices that taught "
            "nothing; own words");
  model.validation = gain_of({0.1, 0.001, 40}, 1);
  judge("", model);
  EXPECT_EQ(model.why_verdict.find("predicts better than the device's own mean by R^2 = 0.18"), 0u);
  model.validation = class_gain_of_all({0.4, 0.001, 500}, {0.6, 0.001, 500});
  judge("", model);
  EXPECT_EQ(
      model.why_verdict.find("tells 10.0 % more rows right than the larger class of all does (9.9 to 10.1), with an "
                             "error of 20.0 % (19.9 to 20.1), measured on 1000 devices"),
      0u)
      << model.why_verdict;
}

}  // namespace
}  // namespace sotto::analyzer
