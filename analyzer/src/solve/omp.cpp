// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/omp.hpp"

#include <cmath>

#include "sotto/analyzer/solve/gram_lasso.hpp"

namespace sotto::analyzer {
namespace {

// A feature whose residual variance given the selected ones is below this share of its variance is, up to rounding, a
// linear combination of them.
constexpr double k_own_share = 1e-9;

}  // namespace

PursuitFit orthogonal_matching_pursuit(const Covariances& data, std::uint32_t variables) {
  const Eigen::Index d = data.xy.size();
  // Gram-Schmidt in the inner product given by the covariances: left[j] is the residual variance of feature j, and
  // slope[j] its residual covariance with y, given the selected features. direction[k] holds the covariance of the k-th
  // orthogonal direction with every feature.
  Eigen::VectorXd left = data.xx.diagonal(), slope = data.xy;
  std::vector<Eigen::VectorXd> direction;
  std::vector<double> weight;
  std::vector<bool> taken(static_cast<std::size_t>(d));
  PursuitFit fit;
  while (fit.chosen.size() < variables) {
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index j = 0; j < d; ++j) {
      if (taken[static_cast<std::size_t>(j)] || data.xx(j, j) <= k_constant_square ||
          left[j] <= k_own_share * data.xx(j, j)) {
        continue;
      }
      // The correlation with the residual in the feature's original scale; the residual is orthogonal to what was
      // projected out of the feature.
      const double gain = std::abs(slope[j]) / std::sqrt(data.xx(j, j));
      if (gain <= most) continue;
      most = gain;
      best = j;
    }
    if (best < 0 || most * most <= k_constant_square * data.yy) break;
    Eigen::VectorXd fresh = data.xx.col(best);
    for (const Eigen::VectorXd& old : direction) fresh -= old[best] * old;
    fresh /= std::sqrt(left[best]);
    const double along = slope[best] / std::sqrt(left[best]);
    slope -= along * fresh;
    left -= fresh.cwiseAbs2();
    taken[static_cast<std::size_t>(best)] = true;
    fit.chosen.push_back(static_cast<std::uint32_t>(best));
    direction.push_back(std::move(fresh));
    weight.push_back(along);
  }
  // direction[k][chosen[i]] is the Cholesky factor L(i, k) of the selected features: back substitution gives their
  // coefficients.
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(d);
  for (std::size_t k = fit.chosen.size(); k-- > 0;) {
    double rest = weight[k];
    for (std::size_t i = k + 1; i < fit.chosen.size(); ++i) rest -= direction[k][fit.chosen[i]] * beta[fit.chosen[i]];
    beta[fit.chosen[k]] = rest / direction[k][fit.chosen[k]];
  }
  fit.model = with_intercept(std::move(beta), data);
  return fit;
}

}  // namespace sotto::analyzer
