// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <vector>

namespace sotto::analyzer {

/// Accelerated descent with noisy gradients (Ma et al., Alg. 5): with gamma_t = (t + 2)/2,
///   md = b/gamma + (1 - 1/gamma) ag,   b = md + step * (mean of X'(y - X md)/m),   ag = b/gamma + (1 - 1/gamma) ag.
/// Corrected: b is projected to the ball of the study's norm, which the paper's bounds assume and its algorithm does not do. The
/// paper's gamma and eta are "as in Lemma C.2", which does not say them.
///
/// Errors are followed as if the loss curved by 1 in every direction (standardised, independent features): each point's error is then a
/// fixed combination of the first one, at most `norm` long, and of the cohorts' noises.
class AcceleratedDescent {
 public:
  AcceleratedDescent(std::size_t size, double step, double norm);

  /// Where the next gradient is asked: md.
  [[nodiscard]] const std::vector<double>& query() const noexcept { return query_; }
  /// Expected squared distance of the query from the truth, at most norm^2.
  [[nodiscard]] double left() const;
  /// `descent` is the mean of X'(y - X c)/m at c; noise its expected squared error, all coordinates together. c is the query, or
  /// what devices saw of it.
  void move(std::span<const double> c, std::span<const double> descent, double noise);

  [[nodiscard]] const std::vector<double>& result() const noexcept { return average_; }
  /// Expected squared error of the result: from the noises alone, and with what is left of the beginning.
  [[nodiscard]] double result_noise() const { return squared(of_average_, false); }
  [[nodiscard]] double result_error() const { return squared(of_average_, true); }

 private:
  using Parts = std::vector<double>;  // of the first error, then of each cohort's noise
  [[nodiscard]] double squared(const Parts& parts, bool with_first) const;
  void ask_next();

  double step_, norm_;
  std::size_t moves_ = 0;
  std::vector<double> query_, last_, average_;
  Parts of_query_, of_last_{1}, of_average_{1};
  std::vector<double> noises_;
};

}  // namespace sotto::analyzer
