// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/between/plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {
namespace {

// Shares of the stage's devices. Where no screening is needed its share goes to the last products.
constexpr double k_level = 0.08, k_screen = 0.48, k_columns = 0.06, k_confirm = 0.22, k_validate = 0.16;
// Each screening keeps this share of its columns; the last products are about so many for each variable, three at least.
constexpr double k_kept = 0.4, k_last_for_variable = 1.5;
constexpr std::uint32_t k_last_min = 3;
// A cohort is drawn by coins: room above the study's minimum, and never fewer than these.
constexpr double k_cohort_room = 1.3, k_cohort_min = 12;

/// The columns that each cohort of products is asked about, from all to the last ones.
std::vector<std::uint32_t> candidate_counts(const BetweenTerms& between) {
  const auto all = static_cast<std::uint32_t>(between.features.size());
  const auto wanted = static_cast<std::uint32_t>(std::ceil(k_last_for_variable * between.variables));
  const std::uint32_t last = std::min(all, std::max(k_last_min, wanted));
  std::vector<std::uint32_t> out{all};
  while (out.back() > last) out.push_back(std::max(last, static_cast<std::uint32_t>(std::ceil(k_kept * out.back()))));
  return out;
}

}  // namespace

Result<BetweenPlan> plan_between(const RegressionTerms& terms) {
  const BetweenTerms& between = *terms.between;
  const auto all = static_cast<double>(between.devices), d = static_cast<double>(between.features.size());
  const std::vector<std::uint32_t> counts = candidate_counts(between);
  const bool screens = counts.size() > 1;
  BetweenPlan out;
  out.cohorts.push_back({BetweenStep::level, 0, k_level * all});
  double roots = 0;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) roots += std::sqrt(counts[i]);
  for (std::size_t i = 0; i + 1 < counts.size(); ++i)
    out.cohorts.push_back({BetweenStep::screen, counts[i], k_screen * all * std::sqrt(counts[i]) / roots});
  out.cohorts.push_back({BetweenStep::columns, counts.back(), k_columns * all});
  out.cohorts.push_back({BetweenStep::confirm, counts.back(), (screens ? k_confirm : k_screen + k_confirm) * all});
  out.cohorts.push_back({BetweenStep::validate, 0, k_validate * all});

  // Small cohorts are filled up to the minimum from those of products.
  const double least = std::max(k_cohort_min, k_cohort_room * terms.minimum);
  double lifted = 0, rest = 0;
  for (BetweenCohort& cohort : out.cohorts) {
    if (cohort.devices < least) {
      lifted += least;
      cohort.devices = least;
    } else {
      rest += cohort.devices;
    }
  }
  if (lifted + least > all || rest <= 0) {
    const double needed = std::ceil(least * static_cast<double>(out.cohorts.size()) / between.share);
    return Error{"protocol.between_small", "the stage [between] has too few devices for its cohorts",
                 fmt::format("{} devices in {} cohorts of {:.0f} at least", between.devices, out.cohorts.size(), least),
                 fmt::format("enrol {:.0f} devices, raise between.share, or lower study.minimum", needed)};
  }
  for (BetweenCohort& cohort : out.cohorts) {
    if (cohort.devices > least) cohort.devices *= (all - lifted) / rest;
    if (cohort.step == BetweenStep::screen || cohort.step == BetweenStep::confirm) out.asked += cohort.devices;
  }

  const Result<double> variance =
      direction_variance(terms.epsilon, static_cast<std::uint32_t>(between.features.size()) + 1);
  if (!variance) return variance.error();
  out.variance = variance.value();
  out.effect = std::sqrt(between.explained / between.variables);
  out.strength = out.effect * std::sqrt(out.asked / (out.variance * d));
  out.for_enough = std::ceil(std::pow(k_between_strength / out.strength, 2) * all / between.share);
  if (out.strength < k_between_strength && !between.insist) {
    return Error{
        "protocol.between_weak", "the stage [between] can hardly find an effect of the size that the study assumes",
        fmt::format("z_b = b sqrt(n_b / (v d)) = {:.2f} sqrt({:.0f} / ({:.3g} x {})) = {:.1f}, and {:.0f} is wanted",
                    out.effect, out.asked, out.variance, between.features.size(), out.strength, k_between_strength),
        fmt::format(
            "expect {:.0f} devices, name fewer columns, raise epsilon or between.share, leave [between] out, or "
            "write insist = true to ask nevertheless",
            out.for_enough)};
  }
  return out;
}

}  // namespace sotto::analyzer
