// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/protocol/between/plan.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "src/protocol/between/clipping.hpp"
#include "src/protocol/between/evidence.hpp"
#include "src/protocol/between/level_law.hpp"

namespace sotto::analyzer {
namespace {

/// Products of a normal level around `off` with two normal columns, of which the first has this effect, pulled into the
/// ball and averaged.
std::vector<double> clipped_means(double radius, double effect, double off) {
  constexpr int k_devices = 400'000;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> mean(4);  // level, two columns, pole
  for (int i = 0; i < k_devices; ++i) {
    const double x = normal(random), z = normal(random), r = off + effect * x + normal(random);
    const double g[] = {r, x * r, z * r}, length = std::hypot(g[0], g[1], g[2]);
    const double factor = std::min(1.0, radius / length) / radius;
    for (std::size_t j = 0; j < 3; ++j) mean[j] += g[j] * factor / k_devices;
    mean[3] += std::sqrt(std::max(0.0, 1 - std::pow(length * factor, 2))) / k_devices;
  }
  return mean;
}

TEST(BetweenClipping, what_is_left_of_products_follows_from_the_radius) {
  for (const double radius : {0.6, 1.2, 2.5}) {
    const ClippedProducts left = clip_products(radius, 2);
    const std::vector<double> mean = clipped_means(radius, 0.1, 0.1);
    // Means have standard errors of 0.0016 radii; a factor of ten makes effects of them.
    EXPECT_NEAR(radius * mean[1] / 0.1, left.column, 0.05) << radius;
    EXPECT_NEAR(radius * mean[0] / 0.1, left.level, 0.05) << radius;
    EXPECT_NEAR(mean[3], left.pole, 0.01) << radius;
    EXPECT_NEAR(radius_of_pole(left.pole, 2), radius, 0.01 * radius);
  }
  EXPECT_NEAR(clip_products(50, 4).column, 1, 1e-6);
  EXPECT_NEAR(clip_columns(50, 4), 1, 1e-6);
  EXPECT_LT(clip_columns(1, 4), 0.5);
}

CategoryCounts counts_of(double mean, double spread, double n) {
  CategoryCounts out;
  out.used = static_cast<std::uint64_t>(n);
  for (std::uint32_t i = 0; i < k_level_cells; ++i) {
    const auto below = [&](std::uint32_t cells) {
      if (cells == 0 || cells == k_level_cells) return cells == 0 ? 0.0 : 1.0;
      return normal_below((k_level_range * (2.0 * cells / k_level_cells - 1) - mean) / spread);
    };
    out.count.push_back(n * (below(i + 1) - below(i)));
    out.standard_error.push_back(0.3 * std::sqrt(n));
  }
  return out;
}

TEST(BetweenLevels, mean_and_spread_follow_from_the_cells) {
  for (const double mean : {-1.3, 0.0, 0.4}) {
    for (const double spread : {0.1, 0.5, 1.2}) {
      const LevelLaw law = fit_levels(counts_of(mean, spread, 100'000));
      EXPECT_NEAR(law.mean.value, mean, 0.05) << spread;
      EXPECT_NEAR(std::exp(law.log_spread.value), spread, 0.1 * spread) << mean;
    }
  }
}

TEST(BetweenLevels, few_reports_leave_the_guess_of_before_and_say_so) {
  const LevelLaw law = fit_levels(counts_of(1, 0.3, 2));
  EXPECT_GT(law.mean.error, 0.5);
  EXPECT_GT(law.log_spread.error, 0.5);
}

VectorMean answer_of(const std::vector<double>& mean, double error) {
  VectorMean out;
  out.mean = mean;
  out.standard_error.assign(mean.size(), error);
  out.noise_error = out.standard_error;
  out.used = 1000;
  return out;
}

/// What devices would say on average: columns at 1 and 0, without any effect, a level at `level` of deviation 1.
VectorMean products_around(const LevelAsk& ask, double level) {
  const double off = level - ask.level;
  const ClippedProducts left = clip_products(ask.radius, 2);
  std::vector<double> mean{left.level * off / ask.radius};
  const double at[] = {1, 0};
  for (std::size_t j = 0; j < 2; ++j) mean.push_back(left.column * off * (at[j] - ask.centres[j].value) / ask.radius);
  mean.push_back(left.pole);
  return answer_of(mean, 0.001);
}

// Both centres are wrong, and the product of both errors looks like an effect until the column says where it lies.
TEST(BetweenEvidence, an_offset_that_is_off_makes_no_effect) {
  LevelEvidence evidence({{0, 0.5, 100}, {0, 0.1, 100}});
  const std::vector<std::uint32_t> columns{3, 7};
  LevelAsk ask = evidence.ask_products(columns, 0.7);
  evidence.add_products(ask, products_around(ask, 0.4));
  EXPECT_NEAR(evidence.level().value, 0.4, 0.02);
  const Measured before = evidence.effect_of(3).all;
  EXPECT_NEAR(before.value, 0.4, 0.05);
  EXPECT_LT(std::abs(before.value / before.error), 2) << "the offset is doubted before anybody is asked";
  ask = evidence.ask_columns(columns);
  const double left = clip_columns(ask.radius, 2);
  evidence.add_columns(ask, answer_of({left / ask.radius, 0, 0}, 0.001));
  EXPECT_NEAR(evidence.centre(3).value, 1, 0.02);
  EXPECT_NEAR(evidence.effect_of(3).all.value, 0, 0.03);
  EXPECT_NEAR(evidence.effect_of(7).all.value, 0, 0.03);
  ask = evidence.ask_products(columns, 0.7);
  EXPECT_NEAR(ask.centres[0].value, 1, 0.02);
  evidence.add_products(ask, products_around(ask, 0.4));
  EXPECT_NEAR(evidence.effect_of(3).last.value, 0, 0.02);
}

StudyDraft draft_of(std::uint64_t devices) {
  StudyDraft draft;
  draft.name = "between";
  draft.epsilon = 4;
  draft.devices = devices;
  draft.features = 40;
  draft.sparsity = 4;
  draft.norm = 0.7;
  draft.units = RowUnits::centred;
  draft.target = {"y", "", 0, 1};
  draft.between = BetweenDraft{{}, 2, 0.3, 0.5, false};
  for (int j = 24; j < 40; ++j) draft.between->features.push_back("feature " + std::to_string(j));
  return draft;
}

TEST(BetweenPlan, everybody_is_in_one_cohort_and_the_strength_is_that_of_its_formula) {
  const Result<Study> study = read_study(study_text(draft_of(4000)), "study.toml");
  ASSERT_TRUE(study) << study.error().message();
  const RegressionTerms& terms = *study.value().regression;
  ASSERT_TRUE(terms.between);
  EXPECT_EQ(terms.between->devices, 2000u);
  EXPECT_EQ(terms.all_devices(), 4000u);
  const Result<BetweenPlan> plan = plan_between(terms);
  ASSERT_TRUE(plan);
  double all = 0;
  for (const BetweenCohort& cohort : plan.value().cohorts) all += cohort.devices;
  EXPECT_NEAR(all, 2000, 1e-6);
  EXPECT_EQ(plan.value().cohorts.size(), study.value().plan->between_cohorts);
  EXPECT_NEAR(plan.value().effect, std::sqrt(0.15), 1e-12);
  EXPECT_NEAR(plan.value().strength, plan.value().effect * std::sqrt(plan.value().asked / (plan.value().variance * 16)),
              1e-12);
  // What the weights say is what was planned: the stage has half of all devices.
  const std::vector<std::uint16_t>& weights = study.value().terms.weights;
  double sum = 0, between = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (i + plan.value().cohorts.size() >= weights.size()) between += weights[i];
  }
  EXPECT_NEAR(between / sum, 0.5, 0.002);
}

// The stage takes devices of its own: of twice as many the protocol has as many as before, and plans the same.
TEST(BetweenPlan, what_the_protocol_plans_is_unchanged) {
  const Result<Study> with = read_study(study_text(draft_of(4000)), "study.toml");
  StudyDraft draft = draft_of(2000);
  draft.between.reset();
  const Result<Study> without = read_study(study_text(draft), "study.toml");
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with.value().regression->devices, without.value().regression->devices);
  EXPECT_EQ(with.value().regression->validators, without.value().regression->validators);
  const std::vector<std::uint16_t>&all = with.value().terms.weights, own = without.value().terms.weights;
  ASSERT_EQ(all.size(), own.size() + with.value().plan->between_cohorts);
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(1.0 * all[i] / all[0], 1.0 * own[i] / own[0], 0.002) << i;
}

TEST(BetweenPlan, what_can_hardly_be_found_is_not_asked_unless_the_study_insists) {
  StudyDraft draft = draft_of(600);
  const Result<Study> weak = read_study(study_text(draft), "study.toml");
  ASSERT_FALSE(weak);
  EXPECT_EQ(weak.error().code, "protocol.between_weak");
  EXPECT_NE(weak.error().what.find("can hardly find an effect"), std::string::npos);
  EXPECT_NE(weak.error().what.find("z_b"), std::string::npos);
  draft.between->insist = true;
  EXPECT_TRUE(read_study(study_text(draft), "study.toml"));
  draft.devices = 60;
  const Result<Study> few = read_study(study_text(draft), "study.toml");
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code, "protocol.between_small");
}

TEST(BetweenPlan, nothing_is_asked_in_units_that_have_no_levels) {
  for (const RowUnits units : {RowUnits::own, RowUnits::stated}) {
    StudyDraft draft = draft_of(4000);
    draft.units = units;
    EXPECT_EQ(read_study(study_text(draft), "study.toml").error().code, "study.bad_value");
  }
  StudyDraft draft = draft_of(4000);
  draft.between->features.push_back("feature 40");
  EXPECT_EQ(read_study(study_text(draft), "study.toml").error().code, "study.bad_value");
  draft.between->features.back() = "feature 30";
  EXPECT_FALSE(read_study(study_text(draft), "study.toml"));
}

}  // namespace
}  // namespace sotto::analyzer
