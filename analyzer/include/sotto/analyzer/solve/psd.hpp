// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Projection of symmetric matrices onto the positive semidefinite ones, and ridge regression on projected second
/// moments: private second moments may be indefinite after their noise is subtracted.

#include <Eigen/Core>

namespace sotto::analyzer {

/// The nearest positive semidefinite matrix in the Frobenius norm: the symmetric part with negative eigenvalues set to
/// zero.
[[nodiscard]] Eigen::MatrixXd project_psd(const Eigen::MatrixXd& m);

/// (P(Q) + lambda I)^-1, with P the projection above and lambda > 0: for ridge regression on second moments that may
/// have negative eigenvalues because the noise variance was subtracted.
[[nodiscard]] Eigen::MatrixXd debiased_ridge_inverse(const Eigen::MatrixXd& q, double lambda);

}  // namespace sotto::analyzer
