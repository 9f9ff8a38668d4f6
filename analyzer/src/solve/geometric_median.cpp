// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/geometric_median.hpp"

#include <algorithm>

namespace sotto::analyzer {

Eigen::VectorXd geometric_median(const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  constexpr int k_steps = 10000;
  constexpr double k_tolerance = 1e-12;
  Eigen::VectorXd at = columns.rowwise().mean();
  const double spread = (columns.colwise() - at).colwise().norm().maxCoeff();
  if (spread == 0) return at;
  for (int i = 0; i < k_steps; ++i) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(at.size()), pull = sum;
    double weights = 0, here = 0;  // here: number of columns that equal the current point
    for (Eigen::Index c = 0; c < columns.cols(); ++c) {
      const Eigen::VectorXd away = columns.col(c) - at;
      const double distance = away.norm();
      if (distance <= k_tolerance * spread) {
        ++here;
        continue;
      }
      weights += 1 / distance;
      sum += columns.col(c) / distance;
      pull += away / distance;
    }
    if (weights == 0) return at;
    const double force = pull.norm();
    if (here > 0 && force <= here)
      return at;  // the gradient of the other columns is too small to move it off this column
    const double share = here > 0 ? std::min(1.0, here / force) : 0;
    const Eigen::VectorXd next = (1 - share) * (sum / weights) + share * at;
    const double step = (next - at).norm();
    at = next;
    if (step <= k_tolerance * spread) break;
  }
  return at;
}

}  // namespace sotto::analyzer
