// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "joint_chi_square.hpp"
#include "sotto/coins/samplers.hpp"
#include "support/seeded_entropy.hpp"

namespace sotto::joint {
namespace {

constexpr std::size_t k_samples = 200'000;

/// A law on -reach .. reach, proportional to e^-energy(z); the mass beyond is far below one sample.
struct NoiseLaw {
  std::int32_t reach;
  std::vector<double> law;
  NoiseLaw(std::int32_t reach_in, const std::function<double(double)>& energy) : reach(reach_in) {
    double sum = 0;
    for (std::int32_t z = -reach; z <= reach; ++z) law.push_back(std::exp(-energy(z)));
    for (const double p : law) sum += p;
    for (double& p : law) p /= sum;
  }
  [[nodiscard]] std::size_t cell(std::int32_t z) const {
    return static_cast<std::size_t>(std::clamp(z, -reach, reach) + reach);
  }
};

/// Eight cells of about equal probability: which one z falls into.
std::vector<std::size_t> octiles(const NoiseLaw& noise) {
  std::vector<std::size_t> octile;
  double below = 0;
  for (const double p : noise.law) {
    octile.push_back(std::min<std::size_t>(7, static_cast<std::size_t>(8 * (below + p / 2))));
    below += p;
  }
  return octile;
}

/// The law of one sample, and of two successive ones.
void test_sampler(const std::string& name, const NoiseLaw& noise,
                  const std::function<std::int32_t(PrivateCoins&)>& sample, std::uint64_t seed, Hypotheses& all) {
  SeededEntropy entropy{seed};
  PrivateCoins coins;
  const std::vector<std::size_t> octile = octiles(noise);
  std::vector<double> octile_law(8), pair_law;
  for (std::size_t i = 0; i < noise.law.size(); ++i) octile_law[octile[i]] += noise.law[i];
  for (const double p : octile_law) {
    for (const double q : octile_law) pair_law.push_back(p * q);
  }
  std::vector<std::uint64_t> counts(noise.law.size()), same_report(64), next_report(64);
  std::size_t last = 0;
  for (std::size_t t = 0; t < k_samples; t += 2) {
    ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
    const std::size_t a = noise.cell(sample(coins)), b = noise.cell(sample(coins));
    ++counts[a];
    ++counts[b];
    ++same_report[8 * octile[a] + octile[b]];
    if (t % 4 == 2) ++next_report[8 * octile[last] + octile[a]];  // disjoint pairs
    last = b;
  }
  all.add(chi_square_p(counts, noise.law), name + ", one sample");
  all.add(chi_square_p(same_report, pair_law), name + ", two samples of a report");
  all.add(chi_square_p(next_report, pair_law), name + ", samples of two reports");
}

TEST(JointSamplers, discrete_laplace_follows_the_exact_law_and_successive_samples_are_independent) {
  Hypotheses all;
  for (const std::uint32_t scale : {1u, 3u, 20u, 257u}) {
    const NoiseLaw noise{static_cast<std::int32_t>(40 * scale), [scale](double z) { return std::abs(z) / scale; }};
    test_sampler(
        "scale " + std::to_string(scale), noise, [scale](PrivateCoins& c) { return discrete_laplace(c, scale); },
        3001 + scale, all);
  }
  EXPECT_TRUE(all.hold()) << all.worst();
}

TEST(JointSamplers, discrete_gaussian_follows_the_exact_law_and_successive_samples_are_independent) {
  Hypotheses all;
  for (const std::uint32_t variance : {1u, 7u, 100u, 5000u}) {
    const auto reach = static_cast<std::int32_t>(9 * std::sqrt(variance));
    const NoiseLaw noise{reach, [variance](double z) { return z * z / (2.0 * variance); }};
    test_sampler(
        "variance " + std::to_string(variance), noise,
        [variance](PrivateCoins& c) { return discrete_gaussian(c, variance); }, 3101 + variance, all);
  }
  EXPECT_TRUE(all.hold()) << all.worst();
}

TEST(JointSamplers, the_test_notices_a_scale_that_is_three_per_cent_off) {
  Hypotheses all;
  const NoiseLaw wrong{400, [](double z) { return std::abs(z) / 10.3; }};
  test_sampler(
      "wrong scale", wrong, [](PrivateCoins& c) { return discrete_laplace(c, 10); }, 3201, all);
  EXPECT_FALSE(all.hold());
}

}  // namespace
}  // namespace sotto::joint
