// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "mean_answer.hpp"

#include <vector>

namespace sotto::analyzer {
namespace {

/// Adds a direction to an orthonormal basis, unless it lies in it.
void extend(std::vector<Eigen::VectorXd>& basis, Eigen::VectorXd direction) {
  constexpr double k_nothing = 1e-9;
  const double length = direction.norm();
  if (!(length > 0)) return;
  direction /= length;
  for (const Eigen::VectorXd& b : basis) direction -= b.dot(direction) * b;
  if (direction.norm() > k_nothing) basis.push_back(direction.normalized());
}

/// The covariances of the asked features with a sparse vector.
Eigen::VectorXd products(const StandIns& devices, const std::vector<std::uint32_t>& asked,
                         const std::vector<std::uint32_t>& features, const Eigen::VectorXd& values) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(asked.size()));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    for (std::size_t j = 0; j < features.size(); ++j)
      out[static_cast<Eigen::Index>(i)] +=
          devices.covariance(asked[i], features[j]) * values[static_cast<Eigen::Index>(j)];
  }
  return out;
}

}  // namespace

Eigen::VectorXd without_chance(const StandIns& devices, const AskedRound& asked, const Eigen::VectorXd& mean) {
  const std::vector<std::uint32_t>& coordinates = asked.asks_all ? devices.features() : asked.features;
  const std::vector<std::uint32_t>& support = devices.world().support();
  Eigen::VectorXd truth(static_cast<Eigen::Index>(support.size()));
  for (std::size_t i = 0; i < support.size(); ++i)
    truth[static_cast<Eigen::Index>(i)] = devices.world().truth()[support[i]];
  Eigen::VectorXd of_truth = products(devices, coordinates, support, truth);
  Eigen::VectorXd of_model = products(devices, coordinates, asked.features, asked.value);
  if (asked.round.recipe == Recipe::least_squares) {
    Eigen::MatrixXd covariance(of_truth.size(), of_truth.size());
    for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
      for (Eigen::Index j = 0; j < covariance.cols(); ++j)
        covariance(i, j) =
            devices.covariance(coordinates[static_cast<std::size_t>(i)], coordinates[static_cast<std::size_t>(j)]);
    }
    of_truth = covariance.ldlt().solve(of_truth);
    of_model = asked.value;
  }
  std::vector<Eigen::VectorXd> basis;
  extend(basis, of_truth);
  extend(basis, of_model);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(mean.size());
  for (const Eigen::VectorXd& b : basis) out += b.dot(mean) * b;
  return out;
}

}  // namespace sotto::analyzer
