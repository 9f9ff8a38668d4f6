// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/moments.hpp"

#include <utility>
#include <vector>

namespace sotto::analyzer {
namespace {

constexpr Eigen::Index k_block_rows = 512;

std::vector<Eigen::Index> nonzeros(const Eigen::VectorXd& beta) {
  std::vector<Eigen::Index> at;
  for (Eigen::Index j = 0; j < beta.size(); ++j) {
    if (beta[j] != 0) at.push_back(j);
  }
  return at;
}

}  // namespace

RowMoments::RowMoments(Eigen::Index columns)
    : x(Eigen::VectorXd::Zero(columns)),
      xx(Eigen::MatrixXd::Zero(columns, columns)),
      xy(Eigen::VectorXd::Zero(columns)) {}

void RowMoments::add(const StandardRows& from, std::span<const std::uint32_t> users) {
  // Users may have a row or two each; matrix products are fast for many rows at once, hence blocks.
  RowMatrix block(k_block_rows, from.x.cols());
  Eigen::VectorXd target(k_block_rows);
  Eigen::Index held = 0;
  const auto flush = [&] {
    const auto some = block.topRows(held);
    const auto some_y = target.head(held);
    xx.selfadjointView<Eigen::Lower>().rankUpdate(some.transpose());
    xy += some.transpose() * some_y;
    x += some.colwise().sum().transpose();
    y += some_y.sum();
    yy += some_y.squaredNorm();
    rows += static_cast<double>(held);
    held = 0;
  };
  for (const std::uint32_t user : users) {
    for (std::uint64_t r = from.first_row[user]; r < from.first_row[user + 1]; ++r) {
      block.row(held) = from.x.row(static_cast<Eigen::Index>(r));
      target[held] = from.y[static_cast<Eigen::Index>(r)];
      if (++held == k_block_rows) flush();
    }
  }
  if (held > 0) flush();
}

RowMoments& RowMoments::operator+=(const RowMoments& other) {
  rows += other.rows;
  x += other.x;
  y += other.y;
  xx += other.xx;
  xy += other.xy;
  yy += other.yy;
  return *this;
}

RowMoments& RowMoments::operator-=(const RowMoments& other) {
  rows -= other.rows;
  x -= other.x;
  y -= other.y;
  xx -= other.xx;
  xy -= other.xy;
  yy -= other.yy;
  return *this;
}

Covariances centred(RowMoments moments) {
  const double n = moments.rows;
  Covariances out{.mean_x = moments.x / n,
                  .mean_y = moments.y / n,
                  .xx = std::move(moments.xx),
                  .xy = moments.xy / n,
                  .yy = moments.yy / n};
  for (Eigen::Index j = 0; j < out.xx.cols(); ++j) {
    for (Eigen::Index i = j; i < out.xx.rows(); ++i) {
      out.xx(i, j) = out.xx(i, j) / n - out.mean_x[i] * out.mean_x[j];
      out.xx(j, i) = out.xx(i, j);
    }
  }
  out.xy -= out.mean_y * out.mean_x;
  out.yy -= out.mean_y * out.mean_y;
  return out;
}

LinearModel with_intercept(Eigen::VectorXd beta, const Covariances& data) {
  const double intercept = data.mean_y - beta.dot(data.mean_x);
  return {.beta = std::move(beta), .intercept = intercept};
}

double mean_squared_error(const LinearModel& model, const RowMoments& moments) {
  // sum (y - a - b'x)^2 = yy - 2 a y + n a^2 - 2 b'xy + 2 a b'x + b'xx b
  const double a = model.intercept;
  double sum = moments.yy - 2 * a * moments.y + moments.rows * a * a;
  const auto active = nonzeros(model.beta);
  for (std::size_t p = 0; p < active.size(); ++p) {
    const Eigen::Index i = active[p];
    double row = moments.xx(i, i) * model.beta[i];
    for (std::size_t q = 0; q < p; ++q) row += 2 * moments.xx(i, active[q]) * model.beta[active[q]];
    sum += model.beta[i] * (2 * a * moments.x[i] - 2 * moments.xy[i] + row);
  }
  return sum / moments.rows;
}

double mean_squared_error(const LinearModel& model, const StandardRows& rows) {
  const auto active = nonzeros(model.beta);
  double sum = 0;
  for (Eigen::Index r = 0; r < rows.y.size(); ++r) {
    double off = rows.y[r] - model.intercept;
    for (const Eigen::Index j : active) off -= model.beta[j] * rows.x(r, j);
    sum += off * off;
  }
  return sum / static_cast<double>(rows.y.size());
}

}  // namespace sotto::analyzer
