// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "moment_parts.hpp"

#include <cmath>

namespace sotto::analyzer {

MomentEstimate packed_moments(const VectorMean& mean, Eigen::Index features, double radius) {
  MomentEstimate out{Eigen::MatrixXd(features, features), Eigen::VectorXd(features), 0, 0};
  std::size_t at = 0;
  double square = 0;
  for (const double e : mean.standard_error) square += e * e / static_cast<double>(mean.standard_error.size());
  for (Eigen::Index i = 0; i < features; ++i) {
    for (Eigen::Index j = i; j < features; ++j) out.q(i, j) = out.q(j, i) = radius * mean.mean[at++];
  }
  for (Eigen::Index j = 0; j < features; ++j) out.b[j] = radius * mean.mean[at++];
  out.q_error = out.b_error = radius * std::sqrt(square);
  return out;
}

MomentEstimate sketched_moments(const GaussianMoments& sums, double feature_step, double target_step) {
  const std::vector<double> all = sums.second_moments();
  const auto size = static_cast<Eigen::Index>(sums.dimension()), features = size - 1;
  const auto at = [&](Eigen::Index i, Eigen::Index j) { return all[static_cast<std::size_t>(i * size + j)]; };
  MomentEstimate out{Eigen::MatrixXd(features, features), Eigen::VectorXd(features), 0, 0};
  double trace = 0;
  for (Eigen::Index i = 0; i < features; ++i) {
    for (Eigen::Index j = 0; j < features; ++j) out.q(i, j) = at(i, j) * feature_step * feature_step;
    out.b[i] = at(i, features) * feature_step * target_step;
    trace += out.q(i, i);
  }
  // Products of two noisy numbers: Var z_i z_j = (noise + E x_i^2)(noise + E x_j^2) at most, for unlike i and j.
  const double n = static_cast<double>(sums.used()), noise = sums.noise_variance();
  const double x = noise * feature_step * feature_step + std::max(0.0, trace / static_cast<double>(features));
  const double y =
      noise * target_step * target_step + std::max(0.0, at(features, features)) * target_step * target_step;
  out.q_error = x / std::sqrt(n);
  out.b_error = std::sqrt(x * y / n);
  return out;
}

}  // namespace sotto::analyzer
