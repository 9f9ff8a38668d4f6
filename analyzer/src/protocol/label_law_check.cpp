// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "label_law_check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_points = 400, k_classes = 10, k_reports_least = 50;

/// Clipped targets in parts of the bound, equally likely.
std::vector<double> answers_of(const RegressionTerms& terms, const LabelPlan& plan) {
  const boost::math::normal target;
  std::vector<double> out(k_points);
  for (std::size_t i = 0; i < k_points; ++i) {
    const double y = terms.target_spread() * quantile(target, (static_cast<double>(i) + 0.5) / k_points);
    out[i] = std::clamp(y / plan.bound, -1.0, 1.0);
  }
  return out;
}

/// Shares of a window's outcomes: an answer lies between two levels, and its window is that of either by a coin.
std::vector<double> window_shares(const WindowSpec& spec, const std::vector<double>& answers) {
  const double inside = std::ldexp(spec.threshold, -32), steps = spec.outcomes - spec.width;
  const double in = inside / spec.width, out = (1 - inside) / (spec.outcomes - spec.width);
  std::vector<double> shares(spec.outcomes, out);
  for (const double x : answers) {
    const double at = (x + 1) / 2 * steps, level = std::min(std::floor(at), steps - 1), part = at - level;
    for (const auto& [first, weight] : {std::pair{level, 1 - part}, std::pair{level + 1, part}}) {
      for (std::uint32_t j = 0; j < spec.width; ++j)
        shares[static_cast<std::size_t>(first) + j] += weight * (in - out) / static_cast<double>(answers.size());
    }
  }
  return shares;
}

/// P(noise <= t) of one additive report with this deviation.
double noise_below(double t, double deviation, bool gaussian) {
  if (gaussian) return 0.5 * std::erfc(-t / deviation / std::numbers::sqrt2);
  const double scale = deviation / std::numbers::sqrt2;
  return t < 0 ? 0.5 * std::exp(t / scale) : 1 - 0.5 * std::exp(-t / scale);
}

/// Bounds between classes that a report is in with equal chances.
std::vector<double> class_bounds(const std::vector<double>& answers, double deviation, bool gaussian) {
  const auto below = [&](double t) {
    double sum = 0;
    for (const double x : answers) sum += noise_below(t - x, deviation, gaussian);
    return sum / static_cast<double>(answers.size());
  };
  std::vector<double> bounds;
  for (std::size_t c = 1; c < k_classes; ++c) {
    double low = -1 - 40 * deviation, high = 1 + 40 * deviation;
    for (int i = 0; i < 60; ++i)
      (below((low + high) / 2) < static_cast<double>(c) / k_classes ? low : high) = (low + high) / 2;
    bounds.push_back(high);
  }
  return bounds;
}

}  // namespace

std::optional<double> law_p_value(const RegressionTerms& terms, const LabelPlan& plan, const ScalarLaw& law,
                                  const std::vector<double>& labels) {
  const std::vector<double> answers = answers_of(terms, plan);
  std::vector<double> shares(k_classes, 1.0 / k_classes), bounds;
  std::optional<WindowLaw> window;
  if (law.window()) {
    if (law.window()->outcomes < 3) return {};
    shares = window_shares(*law.window(), answers);
    window = WindowLaw{*law.window()};
  } else {
    bounds = class_bounds(answers, std::sqrt(law.worst_variance()), law.is_gaussian());
  }
  std::vector<double> counts(shares.size());
  double all = 0;
  for (const double label : labels) {
    if (std::isnan(label)) continue;
    const double z = label / plan.bound;
    const double at = window ? std::round(z / window->step() + (static_cast<double>(shares.size()) - 1) / 2)
                             : static_cast<double>(std::ranges::upper_bound(bounds, z) - bounds.begin());
    ++counts[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(shares.size()) - 1))];
    ++all;
  }
  if (all < k_reports_least) return {};
  double chi = 0;
  for (std::size_t c = 0; c < shares.size(); ++c)
    chi += (counts[c] - all * shares[c]) * (counts[c] - all * shares[c]) / (all * shares[c]);
  return cdf(complement(boost::math::chi_squared(static_cast<double>(shares.size()) - 1), chi));
}

}  // namespace sotto::analyzer
