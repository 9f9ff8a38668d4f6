// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "once.hpp"
#include "projection.hpp"
#include "sotto/analyzer/math/selected_interval.hpp"
#include "sotto/analyzer/solve/basis_pursuit.hpp"
#include "sotto/analyzer/solve/geometric_median.hpp"

namespace sotto::analyzer {
namespace {

/// The value that noise of this deviation rarely exceeds among d numbers.
double threshold_of(double deviation, double d) { return deviation * std::sqrt(2 * std::log(std::max(2.0, d))); }

/// Adds a number that exceeds what noise explains, with an interval that accounts for the selection.
void add_beyond(double cut, std::uint32_t feature, double estimate, double standard_error, Model& model) {
  if (std::abs(estimate) <= cut) return;
  add_coefficient(feature, estimate, standard_error, model);
  const SelectedInterval held = selected_interval(estimate, standard_error, cut);
  model.coefficients.back().low = held.low;
  model.coefficients.back().high = held.high;
}

/// `cut` is the value that a number must exceed to be found. Expected numbers that were not found count, each with the
/// largest value that stays below the cut.
void finish(const RegressionTerms& terms, double tau, double cut, Model& model) {
  finish_coefficients(terms.features, model);
  double square = 0, noise = 0;
  for (const Coefficient& c : model.coefficients) {
    square += c.estimate * c.estimate;
    noise += c.standard_error * c.standard_error;
  }
  const double seen = static_cast<double>(model.coefficients.size()), expected = terms.sparsity;
  const double unseen = std::max(0.0, expected - seen) * std::min(cut * cut, terms.norm * terms.norm / expected);
  model.error.privacy = std::max(tau * tau, noise) + unseen;
  model.rounds.back().noise = tau;
  keep_beyond_noise(square > 0 ? std::sqrt(model.error.privacy / (square + unseen)) : 1, "the mean", model);
  if (square == 0) model.why_verdict = fmt::format("no mean exceeds {:.3g}, what noise alone makes of one", cut);
}

/// The mean of a vector in a ball, reported as a direction: numbers that noise does not explain are kept unchanged.
class DirectMean final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const VectorMean mean = aggregate.direction();
    const double radius = once().row_norm;
    double noise = 0;
    for (const double e : mean.noise_error) noise += e * e / static_cast<double>(mean.noise_error.size());
    const double tau = radius * std::sqrt(noise);
    model.rounds.back().radius = radius;
    const double cut = threshold_of(tau, terms_.features);
    for (std::uint32_t j = 0; j < terms_.features; ++j)
      add_beyond(cut, j, radius * mean.mean[j], radius * mean.standard_error[j], model);
    finish(terms_, tau, cut, model);
    return Done{};
  }
};

/// The paper's way: a random projection with additive noise, the geometric median of group means, and the vector with
/// the smallest l1 norm that explains it. Corrected: the projection is clipped, and the tolerance is the noise that was
/// added. What the recovery finds is refitted without shrinkage.
class ProjectedMean final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const GaussianMoments& sums = aggregate.moments();
    const auto p = static_cast<Eigen::Index>(sums.dimension() - 1);
    const auto d = static_cast<Eigen::Index>(terms_.features);
    const std::vector<std::vector<double>> groups = sums.group_means();
    Eigen::MatrixXd means(p, static_cast<Eigen::Index>(groups.size()));
    for (Eigen::Index g = 0; g < means.cols(); ++g) {
      for (Eigen::Index j = 0; j < p; ++j)
        means(j, g) = groups[static_cast<std::size_t>(g)][static_cast<std::size_t>(j)] * feature_step();
    }
    const Eigen::VectorXd u = geometric_median(means);
    const double tau = std::sqrt(sums.noise_variance() / static_cast<double>(sums.used())) * feature_step();
    const Result<Eigen::MatrixXd> matrix = projection_matrix(manifest_, ask_.draft, p, d);
    if (!matrix) return matrix.error();
    const Eigen::MatrixXd& g = matrix.value();
    const BasisPursuit found = basis_pursuit(g, u, tau * std::sqrt(static_cast<double>(p)));
    const double cut = refit(g, u, found.x, tau, model);
    model.rounds.back().radius = once().row_norm;
    finish(terms_, tau, cut, model);
    return Done{};
  }

  /// Refits by least squares what the recovery found, repeatedly without the weaker half of what does not stand out:
  /// columns that were found because they are correlated with the noise share the effect of true ones. Returns the
  /// largest cut that a number had to exceed.
  double refit(const Eigen::MatrixXd& g, const Eigen::VectorXd& u, const Eigen::VectorXd& x, double tau,
               Model& model) const {
    const double least = threshold_of(tau, terms_.features);
    std::vector<Eigen::Index> support;
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      if (x[j] != 0) support.push_back(j);
    }
    // More numbers than a third of the measurements would fit noise: the strongest are kept.
    std::ranges::stable_sort(support, [&](Eigen::Index a, Eigen::Index b) { return std::abs(x[a]) > std::abs(x[b]); });
    support.resize(std::min(support.size(), static_cast<std::size_t>(g.rows() / 3)));
    while (!support.empty()) {
      const Eigen::MatrixXd part = g(Eigen::all, support);
      const Eigen::LLT<Eigen::MatrixXd> factor(part.transpose() * part);
      if (factor.info() != Eigen::Success) break;
      const Eigen::VectorXd fitted = factor.solve(part.transpose() * u);
      // Numbers that were not found are part of the residual and disturb the others: the residual shows their error.
      const double left = (u - part * fitted).squaredNorm() / static_cast<double>(u.size() - fitted.size());
      const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(fitted.size(), fitted.size()));
      const Eigen::VectorXd error = std::max(tau, std::sqrt(left)) * inverse.diagonal().cwiseSqrt();
      std::vector<Eigen::Index> hidden;  // positions in the support
      for (Eigen::Index k = 0; k < fitted.size(); ++k) {
        if (std::abs(fitted[k]) <= threshold_of(error[k], terms_.features)) hidden.push_back(k);
      }
      if (hidden.empty()) {
        for (Eigen::Index k = 0; k < fitted.size(); ++k)
          add_beyond(threshold_of(error[k], terms_.features),
                     static_cast<std::uint32_t>(support[static_cast<std::size_t>(k)]), fitted[k], error[k], model);
        return std::max(least, threshold_of(error.maxCoeff(), terms_.features));
      }
      std::ranges::stable_sort(hidden, {}, [&](Eigen::Index k) { return std::abs(fitted[k]) / error[k]; });
      hidden.resize((hidden.size() + 1) / 2);
      std::ranges::sort(hidden, std::greater{});
      for (const Eigen::Index k : hidden) support.erase(support.begin() + k);
    }
    return least;
  }
};

}  // namespace

std::unique_ptr<Protocol> mean_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest) {
  if (ask.way == OnceWay::direct) return std::make_unique<DirectMean>(terms, std::move(ask), manifest);
  return std::make_unique<ProjectedMean>(terms, std::move(ask), manifest);
}

}  // namespace sotto::analyzer
