// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"

namespace sotto::analyzer {
namespace {

// The selection cohort is large enough to lift a variable six standard errors out of the noise, within these shares.
constexpr double k_wanted_score = 6, k_share_min = 0.4, k_share_max = 0.6;
// At least a dozen devices should vote for each variable, even without noise: smaller counts vary too much by chance.
constexpr double k_wanted_votes = 12;
// With fewer standard errors the candidates are random, and a model from them is worse than none.
constexpr double k_score_to_ask = 0.67;
// Candidates: all that matter, and what noise lifts to within 3.5 errors of their expected score; within these factors
// of s.
constexpr double k_score_slack = 3.5, k_candidates_per_variable_min = 3, k_candidates_per_variable_max = 6;
constexpr std::uint32_t k_candidates_max = 150;  // that fit into a round
constexpr std::uint32_t k_estimations = 8, k_devices_per_estimation = 20;
// Weight of the last cohort relative to the other estimation cohorts. The intervals are computed from it alone.
constexpr double k_last_weight = 1.5;
// A part of the selection cohort votes again on the residual of three estimation cohorts, because strong or correlated
// variables mask others. Below four standard errors, from half of the devices, the first selection is too weak to be
// split: then more votes would not mend it, and estimates of many candidates find more.
constexpr double k_score_to_split = 4, k_strong_share = 0.5, k_second_share = 0.4, k_before_second = 3,
                 k_estimations_to_split = 5;
// There is room for what the second vote names: 3.5 candidates for each variable until the last two cohorts.
constexpr double k_after_second = 3.5;

}  // namespace

Result<Schedule> cascade_schedule(const RegressionTerms& terms) {
  const double d = terms.features, s = std::min<double>(terms.sparsity, d), n = static_cast<double>(terms.devices);
  const Result<ScoreOfOne> score = score_of_one(terms);
  if (!score) return score.error();
  Schedule out;
  const double of_one = std::max(score.value().by_vote, 1e-9);
  const double votes = k_wanted_votes * s / std::max(score.value().true_vote, 1e-9);
  const bool is_strong = of_one * std::sqrt(k_strong_share * n) >= k_score_to_split;
  const double share = std::clamp(std::max(std::pow(k_wanted_score / of_one, 2), votes) / n, k_share_min,
                                  is_strong ? k_share_max : k_share_min);
  out.evidence = of_one * std::sqrt(share * n);
  if (out.evidence < k_score_to_ask) {
    out.hopeless = fmt::format(
        "a variable of the expected size would stand {:.2f} standard errors out of the noise of {} devices where {} "
        "are "
        "needed: about {:.0f} devices, or a larger epsilon",
        out.evidence, terms.devices, k_score_to_ask, std::pow(k_score_to_ask / of_one, 2) / k_share_min);
  }
  const double lifted = s + d * cdf(boost::math::normal(), k_score_slack - out.evidence);
  const double first =
      std::min({std::clamp(std::round(lifted), k_candidates_per_variable_min * s, k_candidates_per_variable_max * s), d,
                1.0 * k_candidates_max});
  const double last = std::min(first, std::ceil(k_final_per_variable * s));
  const double count = std::clamp(std::floor((1 - share) * n / k_devices_per_estimation), 2.0, 1.0 * k_estimations);
  const bool splits = count >= k_estimations_to_split && (is_strong || terms.correlated);
  out.steps.push_back({StepKind::select, splits ? share * (1 - k_second_share) : share, 0, 0});
  for (double t = 0; t < count; ++t) {
    if (splits && t == k_before_second) out.steps.push_back({StepKind::select, share * k_second_share, 0, 0});
    // Geometric from the first number to the last, and the last number twice.
    const double way = std::min(1.0, t / std::max(1.0, count - 2));
    double size = std::max(last, std::round(first * std::pow(last / first, way)));
    if (splits && t >= k_before_second && t + 2 < count) size = std::max(size, std::min(first, k_after_second * s));
    const double weight = t + 1 == count ? k_last_weight : 1;
    out.steps.push_back(
        {StepKind::estimate, (1 - share) * weight / (count - 1 + k_last_weight), static_cast<std::uint32_t>(size), 0});
  }
  return out;
}

std::vector<std::uint16_t> cohort_weights(const Schedule& schedule) {
  std::vector<double> shares;
  for (const Step& step : schedule.steps) shares.push_back(step.share);
  return share_weights(shares);
}

}  // namespace sotto::analyzer
