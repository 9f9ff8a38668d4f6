// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/propose/cross_polytope.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sphere_code_trial.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_reports = 40'000;

TEST(SphereCodeSweep, is_within_ten_per_cent_of_priv_unit) {
  print_sphere_code_head();
  std::uint64_t seed = 5000;
  std::size_t shape = 0;
  for (const std::uint32_t codewords : {512u, 1024u}) {
    for (const std::uint32_t dimension : {9u, 12u, 16u}) {
      for (const double epsilon : {4., 6., 8.}) {
        expect_sphere_code_near_priv_unit(epsilon, dimension, codewords, k_reports, shape++ % 5, ++seed);
      }
    }
  }
}

TEST(CrossPolytopeSweep, is_unbiased_for_every_shape_in_256_dimensions) {
  constexpr double k_alpha = 1e-4;
  std::printf("| epsilon | x | law | measured / law | bias along x (its sd) | across / limit |\n");
  std::uint64_t seed = 90000;
  for (const double epsilon : {.5, 1., 2., 4., 6., 8.}) {
    const CrossPolytopeProposal best = propose_cross_polytope(nano(epsilon), 8, 256).value();
    Certified<CrossPolytopeSpec> certified;
    ASSERT_EQ(certify(best.spec, k_epsilon_max, certified), Status::ok);
    std::vector<std::int32_t> work(256);
    for (const Direction& x : test_directions(256)) {
      const Trial trial = run_trial(CrossPolytopeAggregate::open(best.spec).value(), x, k_reports, ++seed,
                                    [&](const CoinLabel& label, PrivateCoins& coins, std::uint32_t& report) {
                                      return cross_polytope(certified, label, x.q15, work, coins, report);
                                    });
      ASSERT_EQ(trial.mean.used, k_reports);
      const double ratio = trial.mean_square / best.error.mean_square();
      const double across = trial.across_square / across_limit(best.error, k_reports, k_alpha, .003);
      std::printf("| %g | %s | %.4f | %.4f | %+.4f (%.4f) | %.3f |\n", epsilon, x.name.c_str(),
                  best.error.mean_square(), ratio, trial.along - 1.0, std::sqrt((best.error.along - 1.0) / k_reports),
                  across);
      EXPECT_NEAR(ratio, 1.0, .03) << epsilon << " " << x.name;
      EXPECT_LE(std::abs(trial.along - 1.0), along_limit(best.error, k_reports, k_alpha, .004))
          << epsilon << " " << x.name;
      EXPECT_LE(across, 1.0) << epsilon << " " << x.name;
    }
  }
}

}  // namespace
}  // namespace sotto::analyzer
