// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit.hpp"
#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_line_steps = 12, k_response_steps = 10;
constexpr double k_still = 1e-3;      // relative to the norm: a shorter step ends the iteration
constexpr double k_ridge_min = 1e-6;  // relative to a column's mean square: equal columns share what they explain

using Dense = Eigen::VectorXd;

/// The features with the `most` largest |v|, in ascending order; the first one on a tie.
std::vector<std::uint32_t> largest(const Dense& v, std::size_t most) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(v.size()));
  std::iota(order.begin(), order.end(), 0u);
  most = std::min(most, order.size());
  const auto by_size = [&v](std::uint32_t a, std::uint32_t b) {
    return std::abs(v[a]) != std::abs(v[b]) ? std::abs(v[a]) > std::abs(v[b]) : a < b;
  };
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(most), by_size);
  order.resize(most);
  std::ranges::sort(order);
  return order;
}

void pull_into_ball(Dense& v, double radius) {
  if (const double length = v.norm(); length > radius) v *= radius / length;
}

Eigen::MatrixXd with_ridge(const Eigen::MatrixXd& gauss) {
  const auto size = std::max<Eigen::Index>(1, gauss.rows());
  const double ridge = k_ridge_min * gauss.trace() / static_cast<double>(size) + 1e-12;
  return gauss + ridge * Eigen::MatrixXd::Identity(gauss.rows(), gauss.cols());
}

struct Descent {
  const LabelRows& rows;
  LabelPart part;
  double radius;
  std::uint32_t passes = 0;
  LabelModel at{};
  LabelPass sums{};  // at `at`

  void look(const ExpectedLabel& expected) {
    sums = rows.pass(part, at, expected, true);
    ++passes;
  }

  /// Iterates until the support no longer changes and the steps are short. With a nonlinear response a step may
  /// increase the loss: it is then undone and halved. The result is the best point seen, with its `sums`.
  void run(const ExpectedLabel& expected, int steps) {
    look(expected);
    LabelModel best = at;
    LabelPass best_sums = sums;
    double damping = 1;
    for (int step = 0; step < steps && best_sums.rows > 0; ++step) {
      const double top = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(best_sums.gauss, Eigen::EigenvaluesOnly)
                             .eigenvalues()
                             .tail<1>()[0];
      if (!(top > 0)) break;
      Dense next = damping / top * best_sums.gradient;
      for (std::size_t k = 0; k < best.feature.size(); ++k)
        next[best.feature[k]] += best.value[static_cast<Eigen::Index>(k)];
      at.feature = largest(next, best.feature.size());
      const bool stands = at.feature == best.feature;
      at.value = stands ? Dense(best.value + damping * with_ridge(best_sums.gauss).ldlt().solve(best_sums.score))
                        : Dense(next(at.feature));
      pull_into_ball(at.value, radius);
      look(expected);
      if (!(sums.squares <= best_sums.squares)) {
        damping /= 2;
        continue;
      }
      const bool is_short = stands && (at.value - best.value).norm() < k_still * radius;
      best = at;
      best_sums = std::move(sums);
      damping = std::min(1.0, 2 * damping);
      if (is_short) break;
    }
    at = std::move(best);
    sums = std::move(best_sums);
  }
};

}  // namespace

LabelFit fit_iht(const LabelRows& rows, LabelPart part, const RegressionTerms& terms, const LabelPlan& plan) {
  const ClippedResponse response = plan.response(terms);
  const ExpectedLabel line{nullptr, plan.line}, curve{&response, plan.line};
  Descent descent{rows, part, plan.radius};
  descent.look(line);
  LabelFit out;
  if (descent.sums.rows <= terms.sparsity) return out;
  descent.at.feature = largest(descent.sums.gradient, terms.sparsity);
  descent.at.value = Dense::Zero(static_cast<Eigen::Index>(descent.at.feature.size()));
  descent.run(line, k_line_steps);
  descent.run(curve, k_response_steps);

  // For a feature in the model its value; for any other feature the Newton step alone, which is noise around zero if it
  // does not matter.
  const LabelPass& sums = descent.sums;
  const auto n = static_cast<double>(sums.rows);
  out.noise = sums.squares / n;
  const double slope = std::max(sums.slopes / n, 1e-12);
  std::vector<double> estimate(rows.features()), variance(rows.features());
  for (std::uint32_t j = 0; j < rows.features(); ++j) {
    const double square = std::max(slope * sums.columns[j], 1e-12);
    estimate[j] = sums.gradient[j] / square;
    variance[j] = out.noise / square;
  }
  const auto size = static_cast<Eigen::Index>(descent.at.feature.size());
  // From the features' own second moments, not those of the response: beyond the clip labels hardly determine the norm
  // of the model, which must not make each coefficient uncertain.
  const Eigen::MatrixXd plain =
      rows.pass(part, descent.at, line, false).gauss * (slope / (plan.line.gain * plan.line.gain));
  const Eigen::MatrixXd inverse = with_ridge(plain).ldlt().solve(Eigen::MatrixXd::Identity(size, size));
  for (Eigen::Index k = 0; k < size; ++k) {
    const std::uint32_t j = descent.at.feature[static_cast<std::size_t>(k)];
    estimate[j] = descent.at.value[k];
    variance[j] = out.noise * inverse(k, k);
  }
  const std::vector<double> no_evidence(rows.features());
  const Posterior now =
      spike_and_slab(estimate, variance, no_evidence,
                     {static_cast<double>(terms.sparsity), static_cast<double>(terms.features), terms.norm});
  std::vector<double> value, of_value;
  for (const std::uint32_t j : descent.at.feature) {
    if (now.weight[j] <= k_matters) continue;
    out.model.feature.push_back(j);
    out.weight.push_back(now.weight[j]);
    value.push_back(now.mean[j]);
    of_value.push_back(variance[j]);
  }
  out.matters = std::accumulate(now.weight.begin(), now.weight.end(), 0.0);
  out.model.value = Eigen::Map<const Dense>(value.data(), static_cast<Eigen::Index>(value.size()));
  out.variance = Eigen::Map<const Dense>(of_value.data(), static_cast<Eigen::Index>(of_value.size()));
  out.passes = descent.passes + 1;
  return out;
}

bool line_fit(const LabelRows& rows, LabelPart part, const ClippedResponse::Line& line, LabelFit& fit) {
  const ExpectedLabel along{nullptr, line};
  const auto size = static_cast<Eigen::Index>(fit.model.feature.size());
  fit.model.value = Dense::Zero(size);
  const LabelPass start = rows.pass(part, fit.model, along, false);
  if (start.rows < static_cast<std::uint64_t>(size) + 2) return false;
  const Eigen::LDLT<Eigen::MatrixXd> solver(with_ridge(start.gauss));
  fit.model.value = solver.solve(start.score);
  if (!fit.model.value.allFinite()) return false;
  const Eigen::MatrixXd half = solver.solve(rows.pass(part, fit.model, along, false).spread);
  fit.variance = solver.solve(half.transpose()).diagonal();
  fit.passes += 2;
  return true;
}

}  // namespace sotto::analyzer
