// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "between.hpp"
#include "sotto/analyzer/protocol/between/plan.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_weights_max = 60000;

}  // namespace

void reserve_between(RegressionTerms& terms) {
  if (!terms.between || terms.between->devices > 0) return;
  terms.between->devices =
      static_cast<std::uint64_t>(std::llround(terms.between->share * static_cast<double>(terms.devices)));
  terms.between->devices = std::min(terms.between->devices, terms.devices - 1);
  terms.devices -= terms.between->devices;
}

Result<Done> add_between(const RegressionTerms& terms, ProtocolPlan& plan) {
  if (!terms.between) return Done{};
  const Result<BetweenPlan> between = plan_between(terms);
  if (!between) return between.error();
  const std::vector<BetweenCohort>& cohorts = between.value().cohorts;
  if (plan.weights.size() + cohorts.size() > k_cohorts_max) {
    return Error{"protocol.too_many_cohorts",
                 fmt::format("a manifest has no room for the {} cohorts of [between]", cohorts.size()),
                 fmt::format("{} rounds of at most {}", plan.weights.size(), k_cohorts_max),
                 "ask fewer rounds, or name fewer columns"};
  }
  const double others = std::accumulate(plan.weights.begin(), plan.weights.end(), 0.0);
  const double of_one = others / static_cast<double>(terms.devices + terms.validators);
  // Weights are whole numbers of 16 bits: as fine as they can be, and the largest of them still fits.
  double largest = *std::ranges::max_element(plan.weights);
  for (const BetweenCohort& cohort : cohorts) largest = std::max(largest, cohort.devices * of_one);
  const double finer = k_weights_max / largest;
  const auto weight = [finer](double w) { return static_cast<std::uint16_t>(std::max(1L, std::lround(w * finer))); };
  for (std::uint16_t& w : plan.weights) w = weight(w);
  for (const BetweenCohort& cohort : cohorts) plan.weights.push_back(weight(cohort.devices * of_one));
  plan.between_cohorts = cohorts.size();
  plan.questions |= question_bits({QuestionKind::bin, QuestionKind::direction, QuestionKind::value});
  return Done{};
}

}  // namespace sotto::analyzer
