// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/l1_ball.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace sotto::analyzer {
namespace {

/// The threshold that, subtracted from every entry, makes the positive parts add up to `total`.
double simplex_threshold(std::vector<double> sorted, double total) {
  std::ranges::sort(sorted, std::greater{});
  double sum = 0, threshold = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - total) / static_cast<double>(k + 1);
    if (sorted[k] <= candidate) break;  // entries from here on become zero
    threshold = candidate;
  }
  return threshold;
}

}  // namespace

Eigen::VectorXd project_simplex(const Eigen::Ref<const Eigen::VectorXd>& v, double total) {
  const double threshold = simplex_threshold({v.begin(), v.end()}, total);
  return (v.array() - threshold).cwiseMax(0);
}

Eigen::VectorXd project_l1_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius) {
  if (v.lpNorm<1>() <= radius) return v;
  if (radius <= 0) return Eigen::VectorXd::Zero(v.size());
  const Eigen::VectorXd size = v.cwiseAbs();
  const double threshold = simplex_threshold({size.begin(), size.end()}, radius);
  return v.array().sign() * (size.array() - threshold).cwiseMax(0);
}

Eigen::VectorXd project_l2_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius) {
  const double length = v.norm();
  if (length <= radius) return v;
  return v * (radius / length);
}

}  // namespace sotto::analyzer
