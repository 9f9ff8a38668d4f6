// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "law_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

namespace sotto::analyzer {
namespace {

constexpr double k_level = 0.01, k_tolerated = 1.2, k_factor = 1.05;
constexpr int k_factors = 24;
constexpr std::size_t k_points = 200, k_classes = 10, k_reports_min = 50;

/// Equally likely values of the clipped target, relative to the bound.
std::vector<double> answers_of(double deviation, double bound) {
  const boost::math::normal target;
  std::vector<double> out(k_points);
  for (std::size_t i = 0; i < k_points; ++i) {
    const double y = deviation * quantile(target, (static_cast<double>(i) + 0.5) / k_points);
    out[i] = std::clamp(y / bound, -1.0, 1.0);
  }
  return out;
}

/// Shares of a window's outcomes: an answer lies between two levels and is rounded to one of them at random.
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

/// Probability of an additive report of at most t.
double report_below(double t, const std::vector<double>& answers, double deviation, bool gaussian) {
  double sum = 0;
  for (const double x : answers) sum += noise_below(t - x, deviation, gaussian);
  return sum / static_cast<double>(answers.size());
}

/// The classes of reports, and the probability of each.
class Classes {
 public:
  Classes(const ScalarLaw& law, const std::vector<double>& declared) : law_(law) {
    if (law.window()) {
      centre_ = (law.window()->outcomes - 1) / 2.0;
      step_ = WindowLaw{*law.window()}.step();
      return;
    }
    noise_ = std::sqrt(law.worst_variance());
    for (std::size_t c = 1; c < k_classes; ++c) {
      double low = -1 - 40 * noise_, high = 1 + 40 * noise_;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        const bool is_below =
            report_below(middle, declared, noise_, law.is_gaussian()) < static_cast<double>(c) / k_classes;
        (is_below ? low : high) = middle;
      }
      bounds_.push_back(high);
    }
  }

  [[nodiscard]] std::size_t size() const { return law_.window() ? law_.window()->outcomes : k_classes; }
  [[nodiscard]] std::size_t of(double z) const {
    if (law_.window()) {
      const double at = std::round(z / step_ + centre_);
      return static_cast<std::size_t>(std::clamp(at, 0.0, 2 * centre_));
    }
    return static_cast<std::size_t>(std::ranges::upper_bound(bounds_, z) - bounds_.begin());
  }
  [[nodiscard]] std::vector<double> shares(const std::vector<double>& answers) const {
    if (law_.window()) return window_shares(*law_.window(), answers);
    std::vector<double> out;
    double before = 0;
    for (const double bound : bounds_) {
      const double below = report_below(bound, answers, noise_, law_.is_gaussian());
      out.push_back(below - before);
      before = below;
    }
    out.push_back(1 - before);
    return out;
  }

 private:
  const ScalarLaw& law_;
  double centre_ = 0, step_ = 1, noise_ = 0;
  std::vector<double> bounds_;
};

double chi_square(const std::vector<double>& counts, const std::vector<double>& shares, double all) {
  double sum = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double expected = all * std::max(shares[c], 1e-12);
    sum += (counts[c] - expected) * (counts[c] - expected) / expected;
  }
  return sum;
}

}  // namespace

std::optional<LawCheck> check_law(const RegressionTerms& terms, const LabelPlan& plan, const ScalarLaw& law,
                                  const std::vector<double>& labels) {
  if (law.window() && law.window()->outcomes < 3) return {};
  const std::vector<double> declared = answers_of(terms.target_spread(), plan.bound);
  const Classes classes(law, declared);
  std::vector<double> counts(classes.size());
  double all = 0;
  for (const double label : labels) {
    if (std::isnan(label)) continue;
    ++counts[classes.of(label / plan.bound)];
    ++all;
  }
  if (all < k_reports_min) return {};
  const double chi = chi_square(counts, classes.shares(declared), all);
  LawCheck out;
  out.p_value = cdf(complement(boost::math::chi_squared(static_cast<double>(classes.size()) - 1), chi));
  double least = std::numeric_limits<double>::infinity();
  for (int i = -k_factors; i <= k_factors; ++i) {
    const double deviation = terms.target_spread() * std::pow(k_factor, i);
    const double at = chi_square(counts, classes.shares(answers_of(deviation, plan.bound)), all);
    if (at >= least) continue;
    least = at;
    out.deviation = deviation;
  }
  out.fits =
      out.p_value >= k_level || std::abs(std::log(out.deviation / terms.target_spread())) <= std::log(k_tolerated);
  return out;
}

}  // namespace sotto::analyzer
