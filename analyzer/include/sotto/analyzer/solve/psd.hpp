// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

namespace sotto::analyzer {

/// The nearest positive semidefinite matrix (Frobenius norm): the symmetric part, its negative eigenvalues set to zero.
[[nodiscard]] Eigen::MatrixXd project_psd(const Eigen::MatrixXd& m);

/// (P(Q) + lambda I)^-1 b, P the projection above: ridge on second moments whose noise was taken off, which may have
/// left them with negative eigenvalues. lambda > 0.
[[nodiscard]] Eigen::VectorXd debiased_ridge(const Eigen::MatrixXd& q, const Eigen::VectorXd& b, double lambda);

/// The inverse that debiased_ridge() applies, for error bands.
[[nodiscard]] Eigen::MatrixXd debiased_ridge_inverse(const Eigen::MatrixXd& q, double lambda);

}  // namespace sotto::analyzer
