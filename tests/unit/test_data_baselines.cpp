// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What can be learned without privacy, on held-out users.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/solve/baselines.hpp"

namespace sotto::analyzer {
namespace {

/// y = 2 a - b + noise of variance 1/4, `each` rows a user.
Table linear_table(std::uint64_t users, std::uint64_t each, std::size_t columns) {
  std::mt19937_64 random{5};
  std::normal_distribution<float> bell;
  Table table;
  for (std::size_t j = 0; j < columns; ++j) table.features.push_back("f" + std::to_string(j));
  table.first_row.push_back(0);
  for (std::uint64_t u = 0; u < users; ++u) {
    table.users.push_back(std::to_string(u));
    for (std::uint64_t r = 0; r < each; ++r) {
      const std::size_t at = table.x.size();
      for (std::size_t j = 0; j < columns; ++j) table.x.push_back(bell(random));
      table.y.push_back(2 * table.x[at] - table.x[at + 1] + bell(random) / 2);
    }
    table.first_row.push_back(table.y.size());
  }
  return table;
}

Baselines baselines_of(const Table& table, double test_share, Transform transform = Transform::none,
                       const BaselineOptions& options = {}) {
  const UserSplit split = split_users(table.users.size(), test_share, 1);
  const Scaling scaling = measure_scaling(table, split.train, transform);
  return measure_baselines(scaling.apply(table, split.train),
                           scaling.apply(table, split.test, {.features = 5, .target = k_no_clip}), options);
}

TEST(Baselines, pooled_rows_reach_the_noise_and_one_user_alone_does_not) {
  const Baselines got = baselines_of(linear_table(300, 15, 30), 0.5);
  const double floor = 0.25 / 5.25;  // noise over the target's variance
  EXPECT_NEAR(got.mean_mse, 1, 0.1);
  EXPECT_NEAR(got.pooled_lasso_mse, floor, 0.1 * floor);
  EXPECT_NEAR(got.omp_mse, floor, 0.1 * floor);
  EXPECT_GT(got.local_lasso_median_mse, 2 * floor);
  EXPECT_LT(got.local_lasso_median_mse, got.mean_mse);
}

// Users differ by a level that their rows tell, with another slope than changes within them have.
TEST(Baselines, changes_within_users_leave_levels_out) {
  Table table = linear_table(300, 15, 5);
  EXPECT_FALSE(baselines_of(table, 0.5).levels_matter());
  std::mt19937_64 random{7};
  std::normal_distribution<float> bell;
  for (std::size_t u = 0; u < 300; ++u) {
    const float level = bell(random);
    for (std::size_t row = table.first_row[u]; row < table.first_row[u + 1]; ++row) {
      table.x[row * 5 + 4] += 3 * level;
      table.y[row] += 3 * level;
    }
  }
  const Baselines got = baselines_of(table, 0.5);
  EXPECT_TRUE(got.levels_matter());
  EXPECT_GT(got.changes_mse, 1.5 * got.omp_mse);
  EXPECT_LT(got.omp_mse, 0.5 * got.mean_mse);
}

TEST(Baselines, users_with_one_row_can_only_guess_their_own_value) {
  const Baselines got = baselines_of(linear_table(400, 1, 5), 0.5);
  EXPECT_GT(got.local_lasso_median_mse, got.mean_mse);
  EXPECT_LT(got.pooled_lasso_mse, 0.1);
}

TEST(Baselines, held_out_targets_are_not_clipped) {
  Table table = linear_table(100, 5, 3);
  const UserSplit split = split_users(100, 0.2, 1);
  const Scaling scaling = measure_scaling(table, split.train);
  table.y[table.first_row[split.test[0]]] = 1000;
  const Baselines got = measure_baselines(scaling.apply(table, split.train),
                                          scaling.apply(table, split.test, {.features = 5, .target = k_no_clip}));
  EXPECT_GT(got.mean_mse, 1000);
}

// The same split, folds and clipping through scikit-learn 1.2.1: LassoCV (100 alphas, eps 1e-3) and OrthogonalMatchingPursuit (20).
struct Reference {
  const char* name;
  Transform transform;
  double lasso, omp;
};

class RealBaselines : public testing::TestWithParam<Reference> {};

TEST_P(RealBaselines, agree_with_scikit_learn) {
  const Reference& reference = GetParam();
  const auto file = std::filesystem::path(SOTTO_DATA_DIR) / (std::string(reference.name) + ".csv.gz");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << reference.name << " is not in " << SOTTO_DATA_DIR;
  const auto table = read_table(file, {"user", "y"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  const Baselines got = baselines_of(table.value(), 0.2, reference.transform, {.local_users = 20});
  EXPECT_NEAR(got.pooled_lasso_mse, reference.lasso, 2e-4);
  EXPECT_NEAR(got.omp_mse, reference.omp, 2e-4);
  EXPECT_GT(got.local_lasso_median_mse, got.pooled_lasso_mse);
}

INSTANTIATE_TEST_SUITE_P(Data, RealBaselines,
                         testing::Values(Reference{"mip2016", Transform::log, 0.7477, 0.6961},
                                         Reference{"wine_quality", Transform::none, 0.7573, 0.7597},
                                         Reference{"chicago_taxi", Transform::none, 0.0968, 0.1024},
                                         Reference{"beijing_air", Transform::none, 0.1810, 0.2024},
                                         Reference{"blog_feedback", Transform::log, 0.3155, 0.3160},
                                         Reference{"uji_indoorloc", Transform::none, 0.0888, 0.1577}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace sotto::analyzer
