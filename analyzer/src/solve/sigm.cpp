// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/sigm.hpp"

#include <cmath>

namespace sotto::analyzer {

Sigm::Sigm(const SigmOptions& options, VectorMap project, Eigen::Index size)
    : options_(options), project_(std::move(project)), gradients_(Eigen::VectorXd::Zero(size)) {
  dual_ = query_ = result_ = gradients_;
}

double Sigm::alpha(std::uint64_t i) const {
  const double p = options_.intermediate;
  return std::pow((static_cast<double>(i) + p) / p, p - 1);
}

double Sigm::beta(std::uint64_t i) const {
  const double p = options_.intermediate;
  return options_.smoothness +
         options_.deviation / options_.radius * std::pow(static_cast<double>(i) + p + 1, (2 * p - 1) / 2);
}

// The notation of the paper with a = 1: A sums alpha, B_k = alpha_k^2, tau = alpha/B. With p = 1 every alpha is 1, the
// query is the dual point, and the result is the mean of the iterates.
void Sigm::step(const Eigen::VectorXd& gradient) {
  const std::uint64_t k = steps_++;
  const double a = alpha(k), b = a * a;
  weights_ += a;
  gradients_ += a * gradient;
  const double before = k == 0 ? beta(0) : beta(k - 1);
  const double tau = a / b;
  const Eigen::VectorXd reached = project_(dual_ - a / before * gradient);
  const Eigen::VectorXd moved = tau * reached + (1 - tau) * result_;
  const double share = b / weights_;
  result_ = (1 - share) * result_ + share * moved;
  dual_ = project_(-gradients_ / beta(k));
  const double next = alpha(k + 1), next_tau = next / (next * next);
  query_ = next_tau * dual_ + (1 - next_tau) * result_;
}

}  // namespace sotto::analyzer
