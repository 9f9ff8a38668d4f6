// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::analyzer {
namespace {

// Prior of a cohort's factor: 1 with a deviation of 10 %. It is never known better than to 5 %, because steps are not
// exactly proportional to the distance.
constexpr double k_stretch_deviation = 0.1, k_stretch_doubt = 0.003;
constexpr double k_shrinks_max = 0.25, k_grows_max = 2;  // bounds of the factor of a step
// Steps of coefficients that probably matter determine the factor; the uncertainty of each is at least 10 %.
constexpr double k_own_doubt = 0.01;
constexpr int k_passes = 4;  // posterior and factors alternately; a fifth pass changes nothing that matters

}  // namespace

ItemHistory::ItemHistory(const SparsePrior& prior, const Trust& trust)
    : prior_(prior),
      trust_(trust),
      estimate_(static_cast<std::size_t>(prior.features)),
      variance_(estimate_.size(), std::numeric_limits<double>::infinity()),
      posterior_(averaged_posterior(estimate_, variance_, prior)) {}

void ItemHistory::add(CohortSteps cohort) {
  cohorts_.push_back(std::move(cohort));
  fits_.clear();
  const double doubt = trust_.stretches ? k_stretch_deviation * k_stretch_deviation : 0;
  for (const CohortSteps& c : cohorts_) fits_.push_back({c.stretch * trust_.step, doubt});
  for (int pass = 0; pass < k_passes; ++pass) {
    combine();
    if (!trust_.stretches) break;
    for (std::size_t t = 0; t < cohorts_.size(); ++t) fits_[t] = fit(cohorts_[t]);
  }
}

void ItemHistory::combine() {
  std::vector<double> precision(estimate_.size());
  std::ranges::fill(estimate_, 0.0);
  for (std::size_t t = 0; t < cohorts_.size(); ++t) {
    const CohortSteps& cohort = cohorts_[t];
    const double remembered = std::pow(trust_.memory, static_cast<double>(cohorts_.size() - 1 - t));
    for (std::size_t i = 0; i < cohort.feature.size(); ++i) {
      if (!std::isfinite(cohort.variance[i])) continue;
      const double step = fits_[t].stretch * cohort.step[i];
      const double noise = fits_[t].stretch * fits_[t].stretch * cohort.variance[i];
      const double variance = (noise + fits_[t].variance * std::max(0.0, step * step - noise)) / remembered;
      estimate_[cohort.feature[i]] += (cohort.centre[i] + step) / variance;
      precision[cohort.feature[i]] += 1 / variance;
    }
  }
  for (std::size_t j = 0; j < estimate_.size(); ++j) {
    if (precision[j] == 0) continue;
    estimate_[j] /= precision[j];
    variance_[j] = 1 / precision[j];
  }
  posterior_ = averaged_posterior(estimate_, variance_, prior_);
}

/// Least squares fit of the steps to what they should have been.
ItemHistory::Fit ItemHistory::fit(const CohortSteps& cohort) const {
  constexpr double k_prior = 1 / (k_stretch_deviation * k_stretch_deviation);
  double squares = k_prior, products = k_prior / cohort.stretch;
  for (std::size_t i = 0; i < cohort.feature.size(); ++i) {
    const std::uint32_t j = cohort.feature[i];
    if (posterior_.weight[j] < k_matters || !std::isfinite(cohort.variance[i])) continue;
    const double wanted = posterior_.mean[j] - cohort.centre[i];
    const double weight = 1 / (cohort.variance[i] + posterior_.variance[j] + k_own_doubt * wanted * wanted);
    squares += weight * wanted * wanted;
    products += weight * wanted * cohort.step[i];
  }
  return {1 / std::clamp(products / squares, k_shrinks_max, k_grows_max), 1 / squares + k_stretch_doubt};
}

}  // namespace sotto::analyzer
