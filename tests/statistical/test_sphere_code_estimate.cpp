// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sphere_code_trial.hpp"

namespace sotto::analyzer {
namespace {

// A device scores all codewords in constant time, 0.2 ms and more a report: 8,000 reports here, 40,000 in the sweep. |z| is
// the same for every report, so the error is measured to half a per cent with either.
constexpr std::uint32_t k_reports = 8'000;

TEST(SphereCodeEstimate, is_within_ten_per_cent_of_priv_unit_with_1024_codewords) {
  print_sphere_code_head();
  std::uint64_t seed = 1000;
  std::size_t shape = 0;
  for (const std::uint32_t dimension : {9u, 12u, 16u}) {
    for (const double epsilon : {4., 6., 8.}) {
      expect_sphere_code_near_priv_unit(epsilon, dimension, 1024, k_reports, shape++ % 5, ++seed);
    }
  }
}

TEST(SphereCodeEstimate, is_within_ten_per_cent_of_priv_unit_with_512_codewords) {
  print_sphere_code_head();
  std::uint64_t seed = 500;
  for (std::size_t shape = 0; shape < 5; ++shape)
    expect_sphere_code_near_priv_unit(8., 9, 512, k_reports, shape, ++seed);
}

}  // namespace
}  // namespace sotto::analyzer
