// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"
#include "sotto/local/least_squares.hpp"

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
// Up to so many variables are worth twice that noise: what one or two leave of the target costs more.
constexpr double k_variables_few = 4, k_noise_of_few = 2;
// A fleet that cannot estimate half a variable makes models that are worse than the mean.
constexpr double k_variables_to_ask = 0.5;
constexpr std::uint32_t k_usual_variables = 32;  // the number of variables for which the noise is predicted
// The last cohort solves least squares on the variables that stand out, at most one for three rows of a device. A spread
// of fewer devices is not worth an interval, and from fewer rows local least squares is worse than the
// path (measured on real rows: worse with 12 and 20, not with 30 and 42).
constexpr double k_interval_share = 0.1, k_interval_devices = 30;
constexpr std::uint32_t k_rows_per_variable = 3, k_interval_rows = 25;
// A fleet that carries fewer variables has no device to spare.
constexpr double k_variables_to_spare = 6;

std::string why_no_intervals(const RegressionTerms& terms) {
  if (terms.link != TargetLink::identity) return "local least squares answers no question about classes";
  if (terms.samples < k_interval_rows) {
    return fmt::format("local least squares needs {} rows of a device where it has {}", k_interval_rows, terms.samples);
  }
  if (k_interval_share * static_cast<double>(terms.devices) < k_interval_devices) {
    return fmt::format("they would come from {:.0f} devices where {} are needed",
                       std::floor(k_interval_share * static_cast<double>(terms.devices)), k_interval_devices);
  }
  return {};
}

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
  double carried = k_noise_allowed * each / (squares * variance.value()), taught = 1;
  Schedule out;
  out.no_intervals = why_no_intervals(terms);
  if (out.no_intervals.empty() && carried < k_variables_to_spare) {
    out.no_intervals = fmt::format("{} devices can carry the noise of {:.2f} variables, and spare none below {}",
                                   terms.devices, carried, k_variables_to_spare);
  }
  if (out.no_intervals.empty()) taught -= k_interval_share;
  carried *= taught;
  const double asked = std::max(carried, std::min(k_variables_few, k_noise_of_few * carried));
  const double variables = std::clamp(std::round(asked), std::min(d, k_variables_min), std::min(d, k_variables_max));
  if (carried < k_variables_to_ask) {
    out.hopeless = fmt::format(
        "{} devices can carry the noise of {:.2f} variables where {} is the least: about {:.0f} devices, or a larger "
        "epsilon",
        terms.devices, carried, k_variables_to_ask, n * k_variables_to_ask / carried);
  }
  out.evidence = score.value().by_vote * std::sqrt(taught * k_selection_share / k_blocks * n);
  std::uint32_t known = 0;
  for (int b = 0; b < k_blocks; ++b) {
    const auto until = static_cast<std::uint32_t>(std::lround(variables * (b + 1) / k_blocks));
    out.steps.push_back({StepKind::select, taught * k_selection_share / k_blocks, until - known, 0});
    known = until;
    for (int t = b * k_steps_per_block; t < (b + 1) * k_steps_per_block; ++t) {
      out.steps.push_back({StepKind::estimate, taught * (1 - k_selection_share) / k_steps, until,
                           target * k_first_radius * std::pow(k_shrink, t)});
    }
  }
  if (out.no_intervals.empty()) {
    out.steps.push_back({StepKind::estimate, k_interval_share,
                         std::min({known, k_least_squares_columns_max, terms.samples / k_rows_per_variable}),
                         target * k_first_radius * std::pow(k_shrink, k_steps)});
  }
  return out;
}

}  // namespace sotto::analyzer
