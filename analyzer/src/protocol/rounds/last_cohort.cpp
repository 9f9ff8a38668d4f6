// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "last_cohort.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>

namespace sotto::analyzer {
namespace {

double pooled_variance(const std::vector<double>& errors) {
  double sum = 0;
  for (const double e : errors) sum += e * e;
  return sum / static_cast<double>(std::max<std::size_t>(1, errors.size()));
}

}  // namespace

CohortEstimate cohort_estimate(const DirectionQuestion& question, const DirectionAnswer& answer, double gain,
                               double clipped, const EmptyShare& empty) {
  const double held = 1 - empty.share();
  CohortEstimate out;
  out.used = answer.used;
  for (std::size_t i = 0; i < question.centre.size(); ++i) {
    const double moved = answer.mean[i] / gain / held;
    out.feature.push_back(question.centre[i].feature);
    out.value.push_back(question.centre[i].value + moved);
    out.standard_error.push_back(answer.standard_error[i] / gain / held);
    out.guess_error.push_back(std::abs(moved) * std::hypot(std::sqrt(empty.variance()) / held, clipped));
  }
  const double all = pooled_variance(answer.standard_error), noise = pooled_variance(answer.noise_error);
  out.sampling_share = all > 0 ? std::clamp(1 - noise / all, 0.0, 1.0) : 0;
  return out;
}

Coefficient coefficient_of(const CohortEstimate& cohort, std::size_t i) {
  Coefficient out;
  out.feature = cohort.feature[i];
  out.last_cohort = cohort.value[i];
  const double own = cohort.standard_error[i], pooled = pooled_variance(cohort.standard_error);
  out.standard_error = std::hypot(std::sqrt(0.5 * (own * own + pooled)), cohort.guess_error[i]);
  put_interval(static_cast<double>(cohort.used) - 1, out);
  return out;
}

void put_interval(double freedom, Coefficient& c, double at_once) {
  const boost::math::students_t student(std::max(1.0, freedom));
  const double width = quantile(complement(student, 0.025 / at_once)) * c.standard_error;
  c.low = c.last_cohort - width;
  c.high = c.last_cohort + width;
  if (std::isfinite(c.standard_error) && c.standard_error > 0)
    c.p_value = 2 * cdf(complement(student, std::abs(c.last_cohort) / c.standard_error));
}

void confirm(Model& model, std::size_t tests) {
  // The i-th smallest of k p-values against level / (k - i), until the first that fails.
  tests = std::max(tests, model.coefficients.size());
  std::vector<std::size_t> order(model.coefficients.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return model.coefficients[i].p_value; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    Coefficient& c = model.coefficients[order[i]];
    if (c.p_value > model.level / static_cast<double>(tests - i)) break;
    c.found = true;
  }
}

void keep_support(Model& model) {
  std::erase_if(model.coefficients, [](const Coefficient& c) { return c.estimate == 0; });
  std::ranges::sort(model.coefficients, [](const Coefficient& a, const Coefficient& b) {
    return std::abs(a.estimate) != std::abs(b.estimate) ? std::abs(a.estimate) > std::abs(b.estimate)
                                                        : a.feature < b.feature;
  });
}

}  // namespace sotto::analyzer
