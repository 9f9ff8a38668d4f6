// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>

#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"

namespace sotto::analyzer {

double chance_of_a_true_vote(double mu, double features, double variables) {
  if (features <= variables) return 1;
  const boost::math::normal normal;
  const auto lost = [&](double t) {
    const double below = 2 * cdf(normal, t) - 1, true_below = cdf(normal, t - mu) - cdf(normal, -t - mu);
    return (features - variables) * 2 * pdf(normal, t) * std::pow(below, features - variables - 1) *
           std::pow(true_below, variables);
  };
  // Beyond 40 the density of t is below 1e-340: panels further out add nothing to the sum, however large mu is.
  constexpr double k_farthest = 40;
  const double end = std::min(mu + 8, k_farthest);
  double sum = 0;
  for (double t = 0; t < end; t += 1) sum += boost::math::quadrature::gauss<double, 15>::integrate(lost, t, t + 1);
  return std::clamp(1 - sum, 0.0, 1.0);
}

Result<ScoreOfOne> score_of_one(const RegressionTerms& terms) {
  const double d = terms.features, s = std::min<double>(terms.sparsity, d);
  const bool means = terms.protocol->learned == Learned::mean;
  // A device's own score of one variable: its coefficient over the standard error of m rows.
  const double mu =
      std::sqrt(terms.samples / s) * terms.norm / (means ? terms.noise : std::hypot(terms.noise, terms.norm));
  const Result<VoteProposal> vote = propose_vote(terms.epsilon, terms.features);
  if (!vote) return vote.error();
  ScoreOfOne out;
  out.true_vote = chance_of_a_true_vote(mu, d, s);
  out.by_vote = out.true_vote / s / std::sqrt(vote.value().variance + 1 / d);
  return out;
}

}  // namespace sotto::analyzer
