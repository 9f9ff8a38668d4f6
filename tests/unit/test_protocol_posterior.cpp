// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_nobody_asked = std::numeric_limits<double>::infinity();
constexpr SparsePrior k_usual{8, 256, 0.7};

double normal_density(double x, double variance) {
  return std::exp(-0.5 * x * x / variance) / std::sqrt(2 * M_PI * variance);
}

/// The formula of docs/PROTOCOLS.md word by word, in probabilities and without care for large numbers.
Posterior by_hand(const std::vector<double>& estimate, const std::vector<double>& variance,
                  const std::vector<double>& evidence, const SparsePrior& prior) {
  double best = -1;
  Posterior out;
  for (int i = -4; i <= 2; ++i) {
    const double v = prior.norm * prior.norm / prior.variables * std::pow(2.0, i);
    for (int h = -3; h <= 3; ++h) {
      const double pi = std::min(0.5, prior.variables / prior.features * std::pow(2.0, h));
      double likelihood = std::exp(-0.25 * std::pow(h * std::log(2.0), 2));
      Posterior now{{}, {}, v};
      for (std::size_t j = 0; j < estimate.size(); ++j) {
        const double odds = pi / (1 - pi) * std::exp(evidence[j]), p = odds / (1 + odds);
        const double slab = normal_density(estimate[j], v + variance[j]),
                     spike = normal_density(estimate[j], variance[j]);
        likelihood *= p * slab + (1 - p) * spike;
        now.weight.push_back(p * slab / (p * slab + (1 - p) * spike));
        now.mean.push_back(now.weight.back() * estimate[j] * v / (v + variance[j]));
      }
      if (likelihood <= best) continue;
      best = likelihood;
      out = now;
    }
  }
  return out;
}

TEST(SpikeAndSlab, agrees_with_the_formula_by_hand) {
  const std::vector<std::vector<double>> estimates = {
      {0.21, -0.02, 0.01, -0.17, 0.03, 0.0}, {0.01, -0.02, 0.01, 0.02, -0.03, 0.0}, {0.5, 0.4, -0.6, 0.3, 0.5, 0.45}};
  const std::vector<double> variance = {1e-3, 1e-3, 2e-3, 1e-3, 4e-3, 1e-2}, evidence = {2, 0, -3, 0.5, 1, 6};
  for (const std::vector<double>& estimate : estimates) {
    for (const SparsePrior& prior : {SparsePrior{2, 6, 0.3}, SparsePrior{1, 40, 1.4}}) {
      const Posterior expected = by_hand(estimate, variance, evidence, prior);
      const Posterior found = spike_and_slab(estimate, variance, evidence, prior);
      EXPECT_DOUBLE_EQ(found.slab, expected.slab);
      for (std::size_t j = 0; j < estimate.size(); ++j) {
        EXPECT_NEAR(found.weight[j], expected.weight[j], 1e-9) << j;
        EXPECT_NEAR(found.mean[j], expected.mean[j], 1e-9) << j;
      }
    }
  }
}

/// 256 coefficients with errors of 0.02; the first eight are 0.2.
Posterior usual_posterior(double scale = 1) {
  std::vector<double> estimate(256), variance(256, 4e-4 * scale * scale), evidence(256);
  for (std::size_t j = 0; j < 256; ++j) {
    const double noise = 0.02 * std::sin(7.0 * static_cast<double>(j));
    estimate[j] = scale * (noise + (j < 8 ? 0.2 : 0));
  }
  return spike_and_slab(estimate, variance, evidence, {8, 256, 0.7 * scale});
}

TEST(SpikeAndSlab, what_is_clear_is_kept_and_the_rest_is_dropped) {
  const Posterior found = usual_posterior();
  for (std::size_t j = 0; j < 256; ++j) {
    if (j < 8) {
      EXPECT_GT(found.weight[j], 0.999) << j;
      EXPECT_NEAR(found.mean[j], 0.2, 0.03) << j;
    } else {
      EXPECT_LT(found.weight[j], 0.02) << j;
      EXPECT_LT(std::abs(found.mean[j]), 0.001) << j;
    }
  }
}

TEST(SpikeAndSlab, units_do_not_matter) {
  const Posterior one = usual_posterior(), thousand = usual_posterior(1000);
  for (std::size_t j = 0; j < 256; ++j) {
    EXPECT_NEAR(one.weight[j], thousand.weight[j], 1e-9);
    EXPECT_NEAR(1000 * one.mean[j], thousand.mean[j], 1e-6);
  }
  EXPECT_NEAR(1e6 * one.slab, thousand.slab, 1e-6);
}

TEST(SpikeAndSlab, what_nobody_was_asked_about_has_the_weight_of_the_prior_and_its_evidence) {
  const std::vector<double> estimate(256), variance(256, k_nobody_asked);
  std::vector<double> evidence(256);
  evidence[3] = 2;
  const Posterior found = spike_and_slab(estimate, variance, evidence, k_usual);
  const double odds = 8.0 / 248;  // nothing speaks for another share than the study's
  EXPECT_NEAR(found.weight[0], odds / (1 + odds), 1e-12);
  EXPECT_NEAR(found.weight[3], odds * std::exp(2) / (1 + odds * std::exp(2)), 1e-12);
  EXPECT_EQ(found.mean[3], 0);
}

TEST(SpikeAndSlab, a_weight_rises_with_the_size_of_the_estimate_and_with_the_evidence) {
  double before = 0;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> estimate(256), variance(256, 4e-4), evidence(256);
    for (std::size_t j = 1; j < 8; ++j) estimate[j] = 0.2;
    estimate[0] = -0.01 * i;
    const double plain = spike_and_slab(estimate, variance, evidence, k_usual).weight[0];
    EXPECT_GE(plain, before);
    evidence[0] = 1;
    EXPECT_GT(spike_and_slab(estimate, variance, evidence, k_usual).weight[0], plain - 1e-12);
    before = plain;
  }
  EXPECT_GT(before, 0.99);
}

TEST(SpikeAndSlab, huge_estimates_stay_finite) {
  std::vector<double> estimate(16), variance(16, 1e-12), evidence(16);
  estimate[0] = 1e6;
  const Posterior found = spike_and_slab(estimate, variance, evidence, {2, 16, 1});
  EXPECT_EQ(found.weight[0], 1.0 / (1.0 + std::exp(-50.0)));
  EXPECT_NEAR(found.mean[0], 1e6, 1);
  for (std::size_t j = 1; j < 16; ++j) EXPECT_LT(found.weight[j], 1e-3);
}

/// As by_hand(), for scores.
std::vector<double> evidence_by_hand(const std::vector<double>& score, const SparsePrior& prior) {
  double best = -1;
  std::vector<double> out;
  for (int i = 0; i < 12; ++i) {
    const double zeta = std::exp(std::log(0.7) + (std::log(16.0) - std::log(0.7)) * i / 11);
    for (int h = -4; h <= 1; ++h) {
      const double pi = std::min(0.5, prior.variables / prior.features * std::pow(2.0, h));
      double likelihood = std::exp(-0.25 * std::pow(h * std::log(2.0), 2));
      std::vector<double> now;
      for (const double s : score) {
        const double z = std::max(0.0, s);
        const double ratio = normal_density(z - zeta, 1 + zeta * zeta / 4) / normal_density(z, 1);
        likelihood *= pi * ratio + 1 - pi;
        now.push_back(std::clamp(std::log(ratio * std::pow(2.0, h)), -3.0, 6.0));
      }
      if (likelihood <= best) continue;
      best = likelihood;
      out = now;
    }
  }
  return out;
}

TEST(ScoreEvidence, agrees_with_the_formula_by_hand) {
  for (const std::vector<double>& score : std::vector<std::vector<double>>{
           {5, 4, -1, 0.3, 1.2, -2, 0.4, 0.1}, {0.2, -0.4, 1, -1, 0.5, 0, 1.5, -0.3}, {9, 1, 1, 0, -1, 0, 0.5, 7}}) {
    const SparsePrior prior{2, 8, 1};
    const std::vector<double> expected = evidence_by_hand(score, prior), found = score_evidence(score, prior);
    for (std::size_t j = 0; j < score.size(); ++j) EXPECT_NEAR(found[j], expected[j], 1e-9) << j;
  }
}

TEST(ScoreEvidence, high_scores_speak_for_a_variable_and_low_ones_against_it_within_limits) {
  std::vector<double> score(256);
  for (std::size_t j = 0; j < 256; ++j) score[j] = std::sin(3.0 * static_cast<double>(j));
  for (std::size_t j = 0; j < 8; ++j) score[j] = 6;
  score[0] = 1000;
  const std::vector<double> evidence = score_evidence(score, k_usual);
  EXPECT_EQ(evidence[0], k_evidence_high);
  for (std::size_t j = 1; j < 8; ++j) EXPECT_GT(evidence[j], 3);
  for (std::size_t j = 8; j < 256; ++j) {
    EXPECT_LT(evidence[j], 0);
    EXPECT_GE(evidence[j], k_evidence_low);
  }
}

TEST(ScoreEvidence, scores_below_zero_count_as_zero) {
  const std::vector<double> low = {5, 4, -7, -3, 0.5, 0.2}, zero = {5, 4, 0, 0, 0.5, 0.2};
  EXPECT_EQ(score_evidence(low, {2, 6, 1}), score_evidence(zero, {2, 6, 1}));
}

}  // namespace
}  // namespace sotto::analyzer
