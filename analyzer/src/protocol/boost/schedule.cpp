// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_blocks = 2, k_steps_per_block = 3, k_steps = k_blocks * k_steps_per_block;
constexpr double k_selection_share = 0.35;
// Answers are clipped to half a standard deviation of the target at first, and to four fifths of that in every further
// step.
constexpr double k_first_radius = 0.5, k_shrink = 0.8;
// Largest noise variance of the whole path, as a share of the target's variance.
constexpr double k_noise_allowed = 0.1;
constexpr double k_variables_min = 2, k_variables_max = 64;
// A fleet that cannot estimate half a variable makes models that are worse than the mean.
constexpr double k_variables_to_ask = 0.5;
constexpr std::uint32_t k_usual_variables = 32;  // the number of variables for which the noise is predicted

}  // namespace

Result<Schedule> boost_schedule(const RegressionTerms& terms) {
  const Result<ScoreOfOne> score = score_of_one(terms);
  if (!score) return score.error();
  const Result<double> variance = direction_variance(terms.epsilon, k_usual_variables);
  if (!variance) return variance.error();
  const double d = terms.features, n = static_cast<double>(terms.devices);
  const double target = std::hypot(terms.noise, terms.norm);
  double squares = 0;
  for (int t = 0; t < k_steps; ++t) squares += std::pow(k_first_radius * std::pow(k_shrink, t), 2);
  // As many variables as the estimation cohorts can estimate.
  const double each = n * (1 - k_selection_share) / k_steps;
  const double carried = k_noise_allowed * each / (squares * variance.value());
  const double variables = std::clamp(std::round(carried), std::min(d, k_variables_min), std::min(d, k_variables_max));
  Schedule out;
  if (carried < k_variables_to_ask) {
    out.hopeless = fmt::format(
        "{} devices can carry the noise of {:.2f} variables where {} is the least: about {:.0f} devices, or a larger "
        "epsilon",
        terms.devices, carried, k_variables_to_ask, n * k_variables_to_ask / carried);
  }
  out.evidence = score.value().by_vote * std::sqrt(k_selection_share / k_blocks * n);
  std::uint32_t known = 0;
  for (int b = 0; b < k_blocks; ++b) {
    const auto until = static_cast<std::uint32_t>(std::lround(variables * (b + 1) / k_blocks));
    out.steps.push_back({StepKind::select, k_selection_share / k_blocks, until - known, 0});
    known = until;
    for (int t = b * k_steps_per_block; t < (b + 1) * k_steps_per_block; ++t) {
      out.steps.push_back({StepKind::estimate, (1 - k_selection_share) / k_steps, until,
                           target * k_first_radius * std::pow(k_shrink, t)});
    }
  }
  return out;
}

}  // namespace sotto::analyzer
