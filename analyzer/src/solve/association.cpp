// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/association.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include <Eigen/Cholesky>

#include "sotto/analyzer/solve/l1_ball.hpp"

namespace sotto::analyzer {
namespace {

/// Keeps the contrasts of rare rows and columns finite.
constexpr double k_margin_min = 1e-3;

Eigen::VectorXd margin_of(const Eigen::VectorXd& sums) {
  Eigen::VectorXd out = project_simplex(sums / std::max(sums.sum(), k_margin_min), 1).cwiseMax(k_margin_min);
  return out / out.sum();
}

/// I - m 1', which takes the share of a margin off.
Eigen::MatrixXd contrast(const Eigen::VectorXd& m) {
  return Eigen::MatrixXd::Identity(m.size(), m.size()) - m * Eigen::RowVectorXd::Ones(m.size());
}

}  // namespace

Association association_of(const Eigen::MatrixXd& shares, const OracleNoise& noise, double reports) {
  const Eigen::Index rows = shares.rows(), columns = shares.cols();
  const double inside = std::clamp(shares.sum(), k_margin_min, 1.0);  // the share of devices in the table
  const Eigen::VectorXd a = margin_of(shares.rowwise().sum()), b = margin_of(shares.colwise().sum().transpose());
  const Eigen::MatrixXd null = inside * a * b.transpose();
  // The covariance of the shares is (diag(spread) - mean mean') / reports, exactly, for shares `null`.
  const double gap = noise.own - noise.other;
  const Eigen::MatrixXd support = (null.array() * gap + noise.other) / gap;
  Eigen::MatrixXd spread = support / gap, mean = support;
  if (!noise.exclusive) {
    spread = (noise.other * (1 - noise.other) / (gap * gap) + null.array() * ((1 - noise.own - noise.other) / gap + 1));
    mean = null;
  }
  const Eigen::MatrixXd by_row = contrast(a), by_column = contrast(b);
  const Eigen::MatrixXd found = by_row * shares * by_column.transpose();
  const Eigen::MatrixXd shift = by_row * mean * by_column.transpose();

  // The last row and column follow from the others.
  const Eigen::Index m = (rows - 1) * (columns - 1);
  Eigen::MatrixXd linear(m, rows * columns);
  Eigen::VectorXd d(m), moved(m);
  for (Eigen::Index i = 0; i + 1 < rows; ++i) {
    for (Eigen::Index j = 0; j + 1 < columns; ++j) {
      const Eigen::Index at = i * (columns - 1) + j;
      d[at] = found(i, j);
      moved[at] = shift(i, j);
      for (Eigen::Index k = 0; k < rows; ++k) {
        linear.row(at).segment(k * columns, columns) =
            by_row(i, k) * by_column.row(j).array() * spread.row(k).array().sqrt();
      }
    }
  }
  const Eigen::MatrixXd covariance = (linear * linear.transpose() - moved * moved.transpose()) / reports;
  Association out;
  out.statistic = d.dot(covariance.ldlt().solve(d));
  out.p_value = boost::math::gamma_q(static_cast<double>(m) / 2, std::max(0.0, out.statistic) / 2);

  const Eigen::MatrixXd variance = (by_row.cwiseAbs2() * spread * by_column.cwiseAbs2().transpose()).array() / reports -
                                   shift.array().square() / reports;
  const Eigen::MatrixXd expected = inside * inside * a * b.transpose();
  const double phi = ((found.cwiseAbs2() - variance).array() / expected.array()).sum();
  out.cramers_v = std::sqrt(std::clamp(phi / static_cast<double>(std::min(rows, columns) - 1), 0.0, 1.0));
  return out;
}

}  // namespace sotto::analyzer
