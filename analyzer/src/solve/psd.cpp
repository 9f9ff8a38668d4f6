// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/psd.hpp"

#include <Eigen/Eigenvalues>

namespace sotto::analyzer {
namespace {

/// V f(eigenvalues) V' with negative eigenvalues set to zero first.
template <class Of>
Eigen::MatrixXd spectral(const Eigen::MatrixXd& m, Of of) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved((m + m.transpose()) / 2);
  const Eigen::VectorXd values = solved.eigenvalues().cwiseMax(0).unaryExpr(of);
  return solved.eigenvectors() * values.asDiagonal() * solved.eigenvectors().transpose();
}

}  // namespace

Eigen::MatrixXd project_psd(const Eigen::MatrixXd& m) {
  return spectral(m, [](double value) { return value; });
}

Eigen::MatrixXd debiased_ridge_inverse(const Eigen::MatrixXd& q, double lambda) {
  return spectral(q, [lambda](double value) { return 1 / (value + lambda); });
}

}  // namespace sotto::analyzer
