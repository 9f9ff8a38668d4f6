// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/wire/recipe.hpp"
#include "src/protocol/once/projection.hpp"

namespace sotto::analyzer {
namespace {

RegressionTerms small_terms() {
  RegressionTerms terms;
  terms.devices = 400;
  terms.features = 20;
  terms.epsilon = 4 * k_epsilon_one;
  terms.unit_q15 = 8192;
  return terms;
}

TEST(WriteRound, values_are_rounded_as_devices_see_them) {
  RoundDraft draft = draft_vote(small_terms(), false, {{2, 0.1}, {5, -1.0 / 3}, {9, 1e9}}, 7, 3).value();
  const Digest study{1, 2, 3};
  const std::vector<std::uint8_t> bytes = write_round(draft, study).value();
  const Round round = read_round(bytes, "the round").value();
  EXPECT_EQ(round.number, 7);
  EXPECT_EQ(round.cohort, 3);
  EXPECT_EQ(round.recipe, Recipe::screen);
  EXPECT_TRUE(std::ranges::equal(round.study, study));
  ASSERT_EQ(round.model_size, 3u);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const ModelEntry seen = model_entry(round, i);
    EXPECT_EQ(seen.feature, draft.model[i].feature);
    EXPECT_EQ(std::ldexp(seen.value_q24, -24), draft.model[i].value);
  }
  EXPECT_NE(draft.model[0].value, 0.1);
  EXPECT_NEAR(draft.model[0].value, 0.1, 1.0 / (1 << 25));
  EXPECT_NEAR(draft.model[1].value, -1.0 / 3, 1.0 / (1 << 25));
  EXPECT_EQ(draft.model[2].value, 2147483647.0 / (1 << 24));  // saturates
}

TEST(WriteRound, a_round_that_does_not_fit_is_refused) {
  RegressionTerms terms = small_terms();
  terms.features = 500;
  const auto with_entries = [&](std::uint32_t count) {
    Entries entries;
    for (std::uint32_t j = 0; j < count; ++j) entries.push_back({j, 0});
    RoundDraft draft = draft_vote(terms, false, entries, 1, 0).value();
    return write_round(draft, {});
  };
  // 1024 bytes, 6 for each feature.
  const auto most = static_cast<std::uint32_t>((k_round_max_bytes - k_round_fixed_bytes) / k_model_bytes);
  EXPECT_GE(most, 150u);  // what cascade may ask about
  EXPECT_TRUE(with_entries(most).ok());
  ASSERT_FALSE(with_entries(most + 1).ok());
  EXPECT_EQ(with_entries(most + 1).error().code, "protocol.large_round");
}

TEST(WriteRound, features_out_of_order_are_refused_before_a_device_would) {
  RoundDraft draft = draft_vote(small_terms(), false, {{5, 0}, {2, 0}}, 1, 0).value();
  EXPECT_FALSE(write_round(draft, {}).ok());
}

TEST(Q24, rounds_to_nearest_and_saturates) {
  EXPECT_EQ(to_q24(1), 1 << 24);
  EXPECT_EQ(to_q24(-0.5), -(1 << 23));
  EXPECT_EQ(to_q24(0.6 / (1 << 24)), 1);
  EXPECT_EQ(to_q24(1e300), 2147483647);
  EXPECT_EQ(to_q24(-1e300), -2147483647);
  EXPECT_EQ(from_q24(to_q24(0.1171875)), 0.1171875);
}

TEST(DraftDirection, units_of_the_radius_follow_what_is_asked) {
  const RegressionTerms terms = small_terms();  // one deviation is a quarter of full scale
  const Entries centre = {{1, 0.5}, {4, -0.25}};
  const RoundDraft solves = draft_direction(terms, {LocalAnswer::least_squares, 0.8, centre}, 2, 1).value();
  EXPECT_EQ(solves.recipe, Recipe::least_squares);
  EXPECT_EQ(solves.parameter[recipe::vector::radius],
            static_cast<std::uint32_t>(to_q24(0.8)));  // coefficients have no unit
  EXPECT_EQ(solves.parameter[recipe::vector::ridge],
            static_cast<std::uint32_t>(to_q24(0.05 / 16)));  // ridge, beside squares of features
  const RoundDraft steps = draft_direction(terms, {LocalAnswer::gradient, 0.8, centre}, 2, 1).value();
  EXPECT_EQ(steps.recipe, Recipe::gradient);
  EXPECT_EQ(steps.parameter[recipe::vector::radius],
            static_cast<std::uint32_t>(to_q24(0.8 / 16)));  // feature times target
  EXPECT_EQ(steps.model[0].value, 0.5);
  const RoundDraft means = draft_direction(terms, {LocalAnswer::means, 0.8, centre}, 2, 1).value();
  EXPECT_EQ(means.recipe, Recipe::means);
  EXPECT_EQ(means.parameter[recipe::vector::radius], static_cast<std::uint32_t>(to_q24(0.2)));
  EXPECT_EQ(means.model[1].value, -0.25 / 4);
}

TEST(ReadDirection, scales_to_the_radius_and_turns_gradients_around) {
  VectorMean mean;
  mean.mean = {0.5, -0.1, 0.3};
  mean.standard_error = {0.02, 0.04, 0.06};
  mean.noise_error = {0.01, 0.01, 0.01};
  mean.used = 90;
  const Entries centre = {{1, 0}, {4, 0}};
  const DirectionAnswer solved = read_direction({LocalAnswer::least_squares, 2, centre}, mean);
  EXPECT_EQ(solved.mean, (std::vector<double>{1, -0.2}));
  EXPECT_EQ(solved.standard_error, (std::vector<double>{0.04, 0.08}));
  EXPECT_EQ(solved.noise_error, (std::vector<double>{0.02, 0.02}));
  EXPECT_EQ(solved.pole, 0.3);
  EXPECT_EQ(solved.pole_error, 0.06);
  EXPECT_EQ(solved.used, 90u);
  const DirectionAnswer stepped = read_direction({LocalAnswer::gradient, 2, centre}, mean);
  EXPECT_EQ(stepped.mean, (std::vector<double>{-1, 0.2}));
  EXPECT_EQ(stepped.standard_error, solved.standard_error);
}

TEST(DirectionVariance, falls_with_epsilon) {
  double before = 1e9;
  for (const double epsilon : {1.0, 2.0, 4.0, 8.0}) {
    const double v = direction_variance(static_cast<EpsilonNano>(epsilon * 1e9), 16).value();
    EXPECT_GT(v, 0);
    EXPECT_LT(v, before / 2);
    before = v;
  }
}

TEST(RecipeName, every_recipe_of_the_table_has_its_name) {
  for (const recipe::Row& row : recipe::k_rows) {
    std::string expected = row.name;
    std::ranges::replace(expected, '_', '-');
    EXPECT_EQ(recipe_name(row.recipe), expected);
  }
  EXPECT_EQ(recipe_name(Recipe::packed_fourier), "packed-fourier");
  EXPECT_EQ(recipe_name(Recipe::cells), "cells");
  EXPECT_EQ(recipe_name(static_cast<Recipe>(std::size(recipe::k_rows))), "unknown");
}

TEST(ProjectionMatrix, what_no_device_projects_is_refused) {
  constexpr std::uint8_t k_seed[32] = {7};
  Manifest manifest;
  manifest.seed = k_seed;
  RoundDraft draft;
  ask_projection(40, 16, draft);
  const Result<Eigen::MatrixXd> phi = projection_matrix(manifest, draft, 16, 40);
  ASSERT_TRUE(phi.ok());
  EXPECT_TRUE((phi.value().array().abs() == 0.25).all());
  EXPECT_EQ(projection_matrix(manifest, draft, 65, 40).error().code, "protocol.bad_projection");
  draft.parameter[recipe::sketch::block] = 48;
  EXPECT_EQ(projection_matrix(manifest, draft, 16, 40).error().code, "protocol.bad_projection");
}

}  // namespace
}  // namespace sotto::analyzer
