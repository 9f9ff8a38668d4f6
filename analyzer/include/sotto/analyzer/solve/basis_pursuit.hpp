// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Basis pursuit denoising: the sparsest explanation, in the l1 norm, of noisy linear measurements. The protocol
/// sparse-mean-once recovers sparse means by it.

#include <Eigen/Core>
#include <cstdint>

namespace sotto::analyzer {

/// The solution.
struct BasisPursuit {
  Eigen::VectorXd x;
  double lambda = 0;         ///< penalty of the Lasso that x solves
  double residual = 0;       ///< |u - G x|
  std::uint64_t visits = 0;  ///< coordinate updates
};

/// The x of smallest l1 norm with |u - G x|_2 <= eta: the Lasso at the largest lambda whose residual is at most eta,
/// found along the path, since the residual grows with lambda. If eta is 0 or cannot be reached, the end of the path at
/// lambda_max * 1e-6.
[[nodiscard]] BasisPursuit basis_pursuit(const Eigen::Ref<const Eigen::MatrixXd>& g,
                                         const Eigen::Ref<const Eigen::VectorXd>& u, double eta);

}  // namespace sotto::analyzer
