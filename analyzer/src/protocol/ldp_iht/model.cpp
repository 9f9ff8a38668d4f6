// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "../estimate/clipped_residual.hpp"
#include "ldp_iht.hpp"

namespace sotto::analyzer {
namespace {}  // namespace

double LdpIht::attenuation() const {
  if (!is_class()) return 1;
  double squares = 0;
  for (const double c : centre_) squares += c * c;
  return class_attenuation(length_of_class(std::sqrt(squares), 2 * terms_.norm));
}

void LdpIht::put_coefficients(Model& model) const {
  const AveragedPosterior& now = history_.posterior();
  const CohortSteps& last = history_.cohorts().back();
  const double scale = 1 / attenuation(), stretch = terms_.paper ? last.stretch : history_.last_stretch();
  CohortEstimate cohort{last.feature, {}, {}, {}, sampling_, last_used_};
  for (std::size_t i = 0; i < last.feature.size(); ++i) {
    const double step = stretch * last.step[i];
    cohort.value.push_back(scale * (last.centre[i] + step));
    cohort.standard_error.push_back(scale * stretch * std::sqrt(last.variance[i]));
    cohort.guess_error.push_back(scale * std::abs(step) * std::sqrt(history_.last_stretch_variance()));
  }
  const boost::math::normal normal;
  for (std::size_t i = 0; i < last.feature.size(); ++i) {
    Coefficient c = coefficient_of(cohort, i);
    const std::uint32_t j = c.feature;
    c.estimate = terms_.paper || now.weight[j] > k_matters ? scale * centre_[j] : 0;
    // The paper's steps clip the residual at its initial size, so the remaining bias is not known well enough for an
    // interval.
    if (terms_.paper) c.standard_error = c.low = c.high = std::numeric_limits<double>::quiet_NaN();
    if (!plan_.trust.stretches) {
      // Gradients mix correlated features, so there is no interval for one coefficient; but the noise in it is known.
      c.standard_error = c.low = c.high = c.last_cohort = std::numeric_limits<double>::quiet_NaN();
      c.p_value = 2 * cdf(complement(normal, std::abs(centre_[j]) / std::sqrt(history_.variance()[j])));
    }
    model.coefficients.push_back(c);
  }
  confirm(model, plan_.trust.stretches ? 0 : terms_.features);  // all cohorts chose what all cohorts test
  for (std::uint32_t j = 0; j < terms_.features; ++j) {
    // Known well enough before the last cohort and not asked about again: an estimate without an interval.
    if (terms_.paper || now.weight[j] <= k_matters || std::ranges::binary_search(last.feature, j)) continue;
    Coefficient c;
    c.feature = j;
    c.estimate = scale * centre_[j];
    c.standard_error = c.low = c.high = c.last_cohort = std::numeric_limits<double>::quiet_NaN();
    model.coefficients.push_back(c);
  }
  keep_support(model);
}

Model LdpIht::model() const {
  Model out = model_;
  if (history_.cohorts().empty()) {
    out.why_verdict = plan_.hopeless;
    return out;
  }
  put_coefficients(out);
  describe(out);
  return out;
}

void LdpIht::describe(Model& model) const {
  const AveragedPosterior& now = history_.posterior();
  const double scale = 1 / attenuation(), size = static_cast<double>(model.coefficients.size());
  double length = 0, error = 0, clipping = 0;
  for (const Coefficient& c : model.coefficients) length += c.estimate * c.estimate;
  for (std::size_t j = 0; j < now.weight.size(); ++j) error += scale * scale * now.loss(j);
  const CohortSteps& last = history_.cohorts().back();
  for (const double step : last.step) clipping += history_.last_stretch_variance() * step * step;
  clipping = std::min(scale * scale * clipping, error);
  model.error = {(error - clipping) * (1 - sampling_), (error - clipping) * sampling_, clipping};
  const auto found = static_cast<double>(std::ranges::count_if(model.coefficients, &Coefficient::found));
  model.why_verdict =
      size == 0
          ? fmt::format("no variable stands out of the noise of {} devices at {:g} nats", terms_.devices, terms_.nats())
          : fmt::format(
                "{} variable{} chosen, {} confirmed; squared error {:.2g} beside a squared length of {:.2g}; the "
                "study's signal is {:.3g} times its noise variance (below {:g} nothing is asked, {:g} is enough)",
                size, size == 1 ? "" : "s", found, error, length, plan_.snr, k_item_snr_min, k_item_snr_sure);
  if (size > 0 && !terms_.signs && plan_.trust.stretches)
    model.why_verdict += "; devices answered gradients, so intervals assume nearly uncorrelated features";
}

}  // namespace sotto::analyzer
