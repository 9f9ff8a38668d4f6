// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/prepare.hpp"

// The unit in which a target or a feature is written has no meaning: the model is the same in any.
namespace sotto::analyzer::central {
namespace {

/// Synthetic rows with the target in units of 1/target and the features in units of 1/feature. With powers of two no
/// number is rounded, so that whatever a method calculates with doubles is the same but for its exponents.
Problem in_units(Loss loss, bool is_independent, double target, double feature) {
  Problem p = synthetic_rows(600, 12, 3, 0.1, 1020).problem;
  p.loss = loss;
  p.bounds.is_independent = is_independent;
  if (loss == Loss::logistic) {
    for (float& y : p.y) y = y > 0 ? 1.0f : 0.0f;
  } else {
    for (float& y : p.y) y *= static_cast<float>(target);
    p.bounds.target *= target;
  }
  for (std::size_t row = 0; row < p.x.size(); ++row) {
    for (float& v : p.x.values(row)) v *= static_cast<float>(feature);
  }
  p.norms = p.x.norms();
  p.bounds.row *= feature;
  p.bounds.value *= feature;
  return p;
}

std::vector<double> coefficients(const Problem& p, Method method, Adjacency adjacency, std::optional<Budget> budget) {
  FitSettings s;
  s.method = method;
  s.nonzeros = 3;
  s.budget = budget;
  s.adjacency = adjacency;
  s.is_unproven_allowed = true;
  Coins coins(1021);
  const auto made = fit(all_rows(p), s, coins);
  EXPECT_TRUE(made.ok()) << made.error().message();
  return made.ok() ? made.value().w.at : std::vector<double>(p.x.columns(), std::nan(""));
}

/// Fits the rows in both units with the same coins. Every coefficient must be `factor` times as large, exactly.
void expect_scaled(Loss loss, Method method, bool is_independent, double target, double feature) {
  const Problem before = in_units(loss, is_independent, 1, 1), after = in_units(loss, is_independent, target, feature);
  for (const std::optional<Budget>& budget : {std::optional(Budget{2, 1e-6}), std::optional<Budget>{}}) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      SCOPED_TRACE(std::string(method_name(method)) + " " + std::string(loss_name(loss)) +
                   (budget ? " with" : " without") + " noise, target " + std::to_string(target) + ", features " +
                   std::to_string(feature));
      std::vector<double> expected = coefficients(before, method, adjacency, budget);
      for (double& w : expected) w *= target / feature;
      EXPECT_EQ(coefficients(after, method, adjacency, budget), expected);
    }
  }
}

TEST(CentralUnits, every_method_follows_the_unit_of_the_target) {
  for (const Method method : all_methods()) {
    for (const Loss loss : {Loss::squared, Loss::huber}) {
      for (const double target : {0x1p-20, 2.0, 0x1p20}) expect_scaled(loss, method, true, target, 1);
      expect_scaled(loss, method, false, 0x1p17, 1);
    }
  }
}

TEST(CentralUnits, every_method_follows_the_unit_of_the_features) {
  for (const Method method : all_methods()) {
    for (const Loss loss : {Loss::logistic, Loss::squared, Loss::huber}) {
      for (const double feature : {0x1p-20, 2.0, 0x1p20}) expect_scaled(loss, method, true, 1, feature);
      expect_scaled(loss, method, false, 1, 0x1p17);
    }
  }
}

TEST(CentralUnits, both_units_at_once_make_no_difference_to_a_margin) {
  for (const Method method : all_methods()) expect_scaled(Loss::huber, method, false, 0x1p30, 0x1p30);
}

TEST(CentralUnits, a_minimiser_that_is_mostly_noise_is_not_cut) {
  // Rows without features: the minimiser of two-stage is its tilt over its ridge, z L / (n ridge) wide. With 20 rows that
  // is several times L / ridge, the reach of the rows.
  constexpr double k_rows = 20, k_epsilon = 1, k_objective_share = 0.48;
  Problem p;
  p.x = Rows::dense(std::vector<float>(80), 4);
  p.y.assign(20, 1);
  p.norms = p.x.norms();
  p.loss = Loss::huber;
  FitSettings s;
  s.method = Method::two_stage;
  s.nonzeros = 4;
  s.budget = Budget{k_epsilon, 1e-5};
  const double ridge = 2 / (k_objective_share * k_epsilon * k_rows);
  double squares = 0, z = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Coins coins(seed);
    const auto made = fit(all_rows(p), s, coins);
    ASSERT_TRUE(made.ok()) << made.error().message();
    z = made.value().z;
    for (const double w : made.value().w.at) squares += w * w / 800;
  }
  EXPECT_NEAR(std::sqrt(squares) * k_rows * ridge, z, 0.1 * z);  // four standard deviations of an estimate from 800
}

}  // namespace
}  // namespace sotto::analyzer::central
