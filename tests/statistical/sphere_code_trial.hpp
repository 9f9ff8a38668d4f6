// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include "direction_trial.hpp"
#include "sotto/analyzer/aggregate/sphere_code.hpp"
#include "sotto/analyzer/math/priv_unit.hpp"
#include "sotto/analyzer/propose/sphere_code.hpp"
#include "sotto/randomize/sphere_code.hpp"

namespace sotto::analyzer {

/// One cell: the best k for (dimension, codewords, epsilon), against its law and against 1.10 times PrivUnit's error.
inline void expect_sphere_code_near_priv_unit(double epsilon, std::uint32_t dimension, std::uint32_t codewords,
                                              std::uint32_t reports, std::size_t shape, std::uint64_t seed) {
  constexpr double k_alpha = 1e-4;          // of each comparison; the seeds are fixed, so a run repeats
  constexpr double k_codebook_bias = .004;  // two bytes a coordinate are not quite normal
  constexpr double k_codebook_angle = .005;
  const SphereCodeProposal best = propose_sphere_code(nano(epsilon), dimension, codewords).value();
  Certified<SphereCodeSpec> certified;
  ASSERT_EQ(certify(best.spec, k_epsilon_max, certified), Status::ok);
  const Direction x = test_directions(dimension)[shape];
  std::vector<std::uint16_t> work(codewords);
  const Trial trial = run_trial(SphereCodeAggregate::open(best.spec).value(), x, reports, seed,
                                [&](const CoinLabel& label, PrivateCoins& coins, std::uint32_t& report) {
                                  return sphere_code(certified, label, x.q15, work, coins, report);
                                });
  const std::string where = "epsilon " + std::to_string(epsilon) + ", dimension " + std::to_string(dimension) + ", " +
                            std::to_string(codewords) + " codewords, " + x.name;
  ASSERT_EQ(trial.mean.used, reports) << where;
  const double priv_unit = priv_unit_error(dimension, epsilon), law = best.error.mean_square();
  const double along_error = std::sqrt((best.error.along - 1.0) / reports);
  std::printf("| %u | %g | %u | %u | %s | %.4f | %.4f | %.4f | %.4f | %+.4f (%.4f) |\n", dimension, epsilon, codewords,
              best.spec.closest, x.name.c_str(), priv_unit, law, trial.mean_square, trial.mean_square / priv_unit,
              trial.along - 1.0, along_error);
  EXPECT_LE(trial.mean_square / priv_unit, 1.10) << where;
  EXPECT_NEAR(trial.mean_square / law, 1.0, .03) << where;
  EXPECT_LE(std::abs(trial.along - 1.0), along_limit(best.error, reports, k_alpha, k_codebook_bias)) << where;
  EXPECT_LE(trial.across_square, across_limit(best.error, reports, k_alpha, k_codebook_angle)) << where;
}

inline void print_sphere_code_head() {
  std::printf(
      "| dimension | epsilon | M | k | x | PrivUnit | law | measured | measured / PrivUnit | bias along x (its sd) "
      "|\n");
}

}  // namespace sotto::analyzer
