// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "local_problem.hpp"
#include "sotto/analyzer/solve/lasso.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/local/screen.hpp"

// One device's columns after screening, and the device's answers beside those of doubles.
namespace sotto {

/// One standard deviation of a feature in Q15: four of them are 1.
inline constexpr std::uint32_t k_unit_q15 = 8192;

/// The strongest 64 columns of a problem, read in place.
class ScreenedProblem {
 public:
  ScreenedProblem(const LocalProblem& problem, std::uint32_t nominal_rows) : nominal_rows_(nominal_rows) {
    const std::uint32_t count = std::min<std::uint32_t>(64, problem.features());
    std::vector<ScreenedColumn> best(count);
    std::vector<std::byte> work(screen_work_bytes(problem.rows(), true));
    screen({nominal_rows, k_unit_q15}, problem.samples(), {}, work, best);
    for (const ScreenedColumn& entry : best) chosen_.push_back(entry.column);
    offsets_.resize(count);
    view_ = gather_columns(problem.samples(), chosen_, offsets_, {});
    x_.resize(problem.rows(), count);
    for (std::uint32_t i = 0; i < problem.rows(); ++i) {
      for (std::uint32_t j = 0; j < count; ++j) x_(i, j) = problem.at(i, chosen_[j]) / 32768.0;
    }
    y_ = problem.y();
  }
  ScreenedProblem(const ScreenedProblem&) = delete;
  ScreenedProblem& operator=(const ScreenedProblem&) = delete;

  [[nodiscard]] std::uint32_t nominal_rows() const { return nominal_rows_; }
  [[nodiscard]] const std::vector<std::uint16_t>& chosen() const { return chosen_; }
  [[nodiscard]] const ColumnView& view() const { return view_; }
  [[nodiscard]] const Eigen::MatrixXd& x() const { return x_; }
  [[nodiscard]] const Eigen::VectorXd& y() const { return y_; }

  [[nodiscard]] std::vector<std::int32_t> solve_device(const LassoSpec& spec) const {
    std::vector<std::byte> work(lasso_work_bytes(view_.rows, static_cast<std::uint32_t>(chosen_.size())));
    std::vector<std::int32_t> beta(chosen_.size());
    lasso(spec, view_, work, beta);
    return beta;
  }
  /// Coordinate descent in doubles until nothing moves by more than 1e-11.
  [[nodiscard]] analyzer::LassoFit solve_double(double lambda, Eigen::VectorXd weight = {}) const {
    analyzer::LassoOptions options;
    options.rows = nominal_rows_;
    options.tolerance = 1e-11;
    options.visits = 4000000;
    options.weight = std::move(weight);
    return analyzer::Lasso{x_, y_, options}.path(lambda);
  }
  [[nodiscard]] double lambda_max() const {
    return x_.cols() == 0 || x_.rows() == 0 ? 0 : (x_.transpose() * y_).cwiseAbs().maxCoeff() / nominal_rows_;
  }
  [[nodiscard]] double objective(const Eigen::VectorXd& beta, double lambda) const {
    return (y_ - x_ * beta).squaredNorm() / (2 * nominal_rows_) + lambda * beta.cwiseAbs().sum();
  }
  /// Columns that are equal, or each other's negative, count as one: any division between them is a minimum.
  [[nodiscard]] Eigen::VectorXd merged(Eigen::VectorXd beta) const {
    for (Eigen::Index j = 1; j < beta.size(); ++j) {
      for (Eigen::Index i = 0; i < j; ++i) {
        const bool equal = x_.col(i) == x_.col(j);
        if (!equal && x_.col(i) != -x_.col(j)) continue;
        beta[i] += equal ? beta[j] : -beta[j];
        beta[j] = 0;
        break;
      }
    }
    return beta;
  }

 private:
  std::uint32_t nominal_rows_;
  std::vector<std::uint16_t> chosen_, offsets_;
  ColumnView view_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd y_;
};

/// Counts over many users.
struct Agreement {
  int users = 0, same_support = 0, close = 0;  ///< close: every coefficient within 2^-10
  double worst = 0;                            ///< coefficient error
  double worst_objective = 0;                  ///< relative excess of the device's objective over the minimum

  void add(const ScreenedProblem& problem, const LassoSpec& spec) {
    const double lambda = spec.lambda_q24 / k_q24;
    const Eigen::VectorXd device = from_q24(problem.solve_device(spec)), exact = problem.solve_double(lambda).beta;
    ++users;
    if (device.size() != exact.size()) return;
    const double least = problem.objective(exact, lambda);
    if (least > 0) worst_objective = std::max(worst_objective, (problem.objective(device, lambda) - least) / least);
    const Eigen::VectorXd a = problem.merged(device), b = problem.merged(exact);
    const double error = a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
    worst = std::max(worst, error);
    close += error <= std::ldexp(1, -10);
    same_support += (a.array() != 0).cwiseEqual(b.array().abs() > 1e-9).all();
  }
  [[nodiscard]] double support_rate() const { return users == 0 ? 0 : static_cast<double>(same_support) / users; }
  [[nodiscard]] double close_rate() const { return users == 0 ? 0 : static_cast<double>(close) / users; }
};

}  // namespace sotto
