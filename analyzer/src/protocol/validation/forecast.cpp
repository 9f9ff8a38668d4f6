// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/validation/forecast.hpp"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "measures.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/propose/window.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_one_sided_share = 0.05;

}  // namespace

std::optional<GainForecast> forecast_gain(const RegressionTerms& terms) {
  if (terms.validators < 2 || measure_of(terms) != MeasureKind::own_numbers) return {};
  const Result<WindowProposal> window = propose_window(terms.epsilon);
  if (!window) return {};
  const Result<ScalarLaw> law = ScalarLaw::of(AnySpec(window.value().spec));
  if (!law) return {};
  GainForecast out;
  out.r2 = terms.explained();
  out.gain = out.r2 / (2 - out.r2);
  out.devices = terms.validators;
  const double bound = gain_bound(out.r2), of_one = std::sqrt(law.value().variance(out.gain / bound)) * bound;
  const auto margin_of = [of_one](double n) {
    return quantile(complement(boost::math::students_t(n - 1), k_one_sided_share)) * of_one / std::sqrt(n);
  };
  out.margin = margin_of(static_cast<double>(out.devices));
  const double normal = quantile(complement(boost::math::students_t(1e6), k_one_sided_share));
  out.devices_wanted = static_cast<std::uint64_t>(std::ceil(std::pow(normal * of_one / out.gain, 2))) + 2;
  return out;
}

}  // namespace sotto::analyzer
