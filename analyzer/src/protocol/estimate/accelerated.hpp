// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Accelerated gradient descent with noisy gradients, with a prediction of its error.

#include <span>
#include <vector>

namespace sotto::analyzer {

/// Accelerated descent with noisy gradients (Ma et al., Alg. 5): with gamma_t = (t + 2)/2,
///   md = b/gamma + (1 - 1/gamma) ag,   b = md + step * (mean of X'(y - X md)/m),   ag = b/gamma + (1 - 1/gamma) ag.
/// Corrected: b is projected to the ball of the study's norm, which the paper's bounds assume but its algorithm does
/// not do. The paper's gamma and eta are "as in Lemma C.2", which does not state them.
///
/// Errors are propagated as if the loss had curvature 1 in every direction (standardised, independent features). The
/// error of each point is then a fixed linear combination of the initial error, at most `norm` long, and of the
/// cohorts' noises.
class AcceleratedDescent {
 public:
  AcceleratedDescent(std::size_t size, double step, double norm);

  /// The point at which the next gradient is asked: md.
  [[nodiscard]] const std::vector<double>& query() const noexcept { return query_; }
  /// Expected squared distance of the query from the truth; at most norm^2.
  [[nodiscard]] double left() const;
  /// Takes a step. `descent` is the mean of X'(y - X c)/m at c; `noise` its expected squared error over all
  /// coordinates. c is the query as devices saw it.
  void move(std::span<const double> c, std::span<const double> descent, double noise);

  [[nodiscard]] const std::vector<double>& result() const noexcept { return average_; }
  /// Expected squared error of the result: from the noises alone, and including the rest of the initial error.
  [[nodiscard]] double result_noise() const { return squared(of_average_, false); }
  [[nodiscard]] double result_error() const { return squared(of_average_, true); }

 private:
  using Parts = std::vector<double>;  // coefficients of the initial error, then of each cohort's noise
  [[nodiscard]] double squared(const Parts& parts, bool with_first) const;
  void ask_next();

  double step_, norm_;
  std::size_t moves_ = 0;
  std::vector<double> query_, last_, average_;
  Parts of_query_, of_last_{1}, of_average_{1};
  std::vector<double> noises_;
};

}  // namespace sotto::analyzer
