// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Minimises a convex function from gradients that are noisy and slightly biased.

#include <Eigen/Core>
#include <cstdint>

#include "sotto/analyzer/solve/projected_gradient.hpp"

namespace sotto::analyzer {

struct SigmOptions {
  double smoothness = 1;  ///< L of the function
  double deviation = 1;   ///< of a stochastic gradient
  double radius = 1;      ///< of the set around its start, 0
  double intermediate =
      1;  ///< p in [1, 2]: 1 is dual averaging, 2 is the fast gradient method, which adds up a gradient's bias
};

/// The stochastic intermediate gradient method of Dvurechensky and Gasnikov (2016) over a convex set around 0, for gradients that are
/// noisy and slightly biased: ask for a gradient at query(), give it to step(), again and again; result() is what was learned.
/// Error     E f - min f = O(L R^2 / k^p + deviation R / sqrt k + k^(p-1) bias) after k steps.
class Sigm {
 public:
  Sigm(const SigmOptions& options, VectorMap project, Eigen::Index size);

  [[nodiscard]] const Eigen::VectorXd& query() const noexcept { return query_; }
  [[nodiscard]] const Eigen::VectorXd& result() const noexcept { return result_; }
  void step(const Eigen::VectorXd& gradient);
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

 private:
  [[nodiscard]] double alpha(std::uint64_t i) const;
  [[nodiscard]] double beta(std::uint64_t i) const;

  SigmOptions options_;
  VectorMap project_;
  std::uint64_t steps_ = 0;
  double weights_ = 0;                                 // A: sum of the alphas
  Eigen::VectorXd gradients_, dual_, query_, result_;  // sum of alpha G; z; x; y
};

}  // namespace sotto::analyzer
