// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "minimise.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer::central {
namespace {

struct Point {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd curvature;
};

/// Value, first and second derivative of one row's loss in its margin.
struct Scalar {
  double value, slope, curvature;
};

Scalar scalar_loss(const Problem& problem, double m, double y) {
  if (problem.loss == Loss::logistic) {
    const double p = 1 / (1 + std::exp(-m));
    return {loss_of(problem, m, y), p - y, p * (1 - p)};
  }
  // The target is clipped: beyond this bound the gradient hardly changes, and the value of the loss would be so large
  // that doubles could not represent its decrease.
  constexpr double k_far = 1e6;
  const double tau = problem.bounds.target, r = m - std::clamp(y, -k_far * tau, k_far * tau),
               root = std::sqrt(1 + r / tau * (r / tau));
  return {tau * tau * (root - 1), r / root, 1 / (root * root * root)};
}

class Objective {
 public:
  Objective(const Problem& problem, double count, double ridge, const Eigen::VectorXd& tilt)
      : problem_(problem),
        count_(count),
        ridge_(ridge),
        tilt_(tilt),
        x_(static_cast<Eigen::Index>(problem.x.size()), static_cast<Eigen::Index>(problem.x.columns())) {
    x_.setZero();
    for (std::size_t row = 0; row < problem.x.size(); ++row) {
      const double shrink = std::min(1.0, problem.bounds.row / std::max(problem.norms[row], 1e-300));
      problem.x.visit(row, [&](std::uint32_t j, float v) { x_(static_cast<Eigen::Index>(row), j) = shrink * v; });
    }
  }

  [[nodiscard]] Point at(const Eigen::VectorXd& w, bool with_curvature) const {
    const Eigen::VectorXd margin = x_ * w;
    Eigen::VectorXd slope(margin.size()), curvature(margin.size());
    Point point;
    for (Eigen::Index i = 0; i < margin.size(); ++i) {
      const Scalar s = scalar_loss(problem_, margin[i], problem_.y[static_cast<std::size_t>(i)]);
      point.value += s.value / count_;
      slope[i] = s.slope / count_;
      curvature[i] = s.curvature / count_;
    }
    point.value += ridge_ / 2 * w.squaredNorm() + tilt_.dot(w);
    point.gradient = x_.transpose() * slope + ridge_ * w + tilt_;
    if (with_curvature) {
      point.curvature = x_.transpose() * curvature.asDiagonal() * x_;
      point.curvature.diagonal().array() += ridge_;
    }
    return point;
  }

 private:
  const Problem& problem_;
  double count_, ridge_;
  const Eigen::VectorXd& tilt_;
  Eigen::MatrixXd x_;
};

}  // namespace

Result<Eigen::VectorXd> minimise(const Problem& problem, double count, double ridge, const Eigen::VectorXd& tilt) {
  constexpr int k_steps_max = 200;
  const double gradient_left = k_gradient_left * problem.gradient_bound();
  const Objective objective(problem, count, ridge, tilt);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(tilt.size());
  Point here = objective.at(w, true);
  for (int i = 0; i < k_steps_max && here.gradient.norm() > gradient_left; ++i) {
    const Eigen::VectorXd step = here.curvature.ldlt().solve(here.gradient);
    double length = 1;
    // Near the minimum the decrease of the value is below the precision of doubles; there the gradient decides.
    for (; length > 1e-9; length /= 2) {
      const Point there = objective.at(w - length * step, false);
      if (there.value <= here.value - 1e-4 * length * here.gradient.dot(step) ||
          there.gradient.norm() < here.gradient.norm() / 2)
        break;
    }
    w -= length * step;
    here = objective.at(w, true);
  }
  if (here.gradient.norm() <= gradient_left) return w;
  return Error{"fit.no_minimum", "the minimiser on the selected columns was not reached",
               fmt::format("{} columns", w.size()), "scale the features, or use another method"};
}

}  // namespace sotto::analyzer::central
