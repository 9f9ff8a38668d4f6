// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The shortest vector in the l1 norm that explains some linear measurements.

#include <Eigen/Core>
#include <cstdint>

namespace sotto::analyzer {

struct BasisPursuit {
  Eigen::VectorXd x;
  double lambda = 0;         ///< of the Lasso that x solves
  double residual = 0;       ///< |u - G x|
  std::uint64_t visits = 0;  ///< of coordinates
};

/// The shortest x in the l1 norm with |u - G x|_2 <= eta: the Lasso at the largest lambda whose residual is no longer than eta,
/// found along the path, since the residual grows with lambda. With eta = 0 or an unreachable eta: the end of the path, at
/// lambda_max * 1e-6.
[[nodiscard]] BasisPursuit basis_pursuit(const Eigen::Ref<const Eigen::MatrixXd>& g,
                                         const Eigen::Ref<const Eigen::VectorXd>& u, double eta);

}  // namespace sotto::analyzer
