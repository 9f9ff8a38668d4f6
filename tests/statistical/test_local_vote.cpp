// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// How often a device's vote is for a variable that matters: 100 samples, 256 independent features, eight coefficients of 0.2,
// noise 1. The claim is P >= 0.55 for the strongest; it fails here when it is refuted at alpha = 0.001 (one-sided, normal).
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "seeded_entropy.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/pick.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/local/screen.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_rows = 100, k_features = 256, k_kept = 64, k_unit = 8192;

Q15 q15(double v) { return static_cast<Q15>(std::lround(std::fmin(std::fmax(v, -1.0), 32767.0 / 32768) * 32768)); }

class User {
 public:
  explicit User(std::mt19937_64& random) : numbers_(k_rows * (k_features + 1)) {
    std::normal_distribution<double> bell;
    for (std::uint32_t i = 0; i < k_rows; ++i) {
      double target = bell(random);
      for (std::uint32_t j = 0; j < k_features; ++j) {
        const double x = bell(random);
        numbers_[i * (k_features + 1) + j] = q15(x / 4);
        if (matters(j)) target += 0.2 * x;
      }
      numbers_[i * (k_features + 1) + k_features] = q15(target / 4 / 1.15);
    }
  }
  static bool matters(std::uint32_t feature) { return feature < k_features && feature % 32 == 7; }
  [[nodiscard]] Samples samples() const {
    return {k_rows, k_features, numbers_.data(), k_features + 1, nullptr, nullptr};
  }

 private:
  std::vector<Q15> numbers_;
};

void expect_at_least(double least, int hits, int users, const char* what) {
  const double slack = 3.0902 * std::sqrt(least * (1 - least) / users);
  EXPECT_GE(static_cast<double>(hits) / users, least - slack) << what << ": " << hits << " of " << users;
}

TEST(LocalVote, is_for_a_variable_that_matters_more_often_than_not) {
  constexpr int k_users = SOTTO_VOTE_USERS;
  std::mt19937_64 random{71};
  SeededEntropy entropy{72};
  PrivateCoins coins;
  ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
  int screened = 0, strongest = 0, strongest_scad = 0, uniform = 0, weighted = 0;
  for (int user = 0; user < k_users; ++user) {
    const User u{random};
    std::byte work[lasso_work_bytes(k_rows, k_kept) + 4096];
    ScreenedColumn best[k_kept];
    std::uint16_t chosen[k_kept], offsets[k_kept];
    std::int32_t beta_q24[k_kept];
    screen({k_rows, k_unit}, u.samples(), {}, work, best);
    for (std::uint32_t j = 0; j < k_kept; ++j) chosen[j] = best[j].column;
    screened += User::matters(best[0].column);
    const ColumnView view = gather_columns(u.samples(), chosen, offsets, {});
    const ScadSpec spec{
        {.nominal_rows = k_rows, .lambda_q24 = lambda_rule_q24(k_features, k_rows, k_unit, 7123, 16384)}, k_unit};
    const auto vote = [&](Pick how) {
      std::uint32_t feature = 0;
      EXPECT_EQ(pick(how, chosen, beta_q24, k_features, coins, feature), Status::ok);
      return User::matters(feature);
    };
    lasso(spec.lasso, view, work, beta_q24);
    strongest += vote(Pick::strongest);
    uniform += vote(Pick::uniform);
    weighted += vote(Pick::weighted);
    scad(spec, k_scad_rounds, view, work, beta_q24);
    strongest_scad += vote(Pick::strongest);
  }
  expect_at_least(0.55, screened, k_users, "screening");
  expect_at_least(0.55, strongest, k_users, "the Lasso's strongest");
  // Why the strongest is the recommended pick.
  EXPECT_GT(strongest, weighted);
  EXPECT_GT(weighted, uniform);
  for (const auto& [name, hits] : {std::pair{"screened", screened},
                                   {"strongest", strongest},
                                   {"scad", strongest_scad},
                                   {"weighted", weighted},
                                   {"uniform", uniform}}) {
    RecordProperty(name, std::to_string(static_cast<double>(hits) / k_users));
    std::printf("%s %.4f\n", name, static_cast<double>(hits) / k_users);
  }
}

}  // namespace
}  // namespace sotto
