// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "accelerated.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

std::vector<double> mixed(double weight, const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = weight * a[i] + (1 - weight) * b[i];
  return out;
}

}  // namespace

AcceleratedDescent::AcceleratedDescent(std::size_t size, double step, double norm)
    : step_(step), norm_(norm), last_(size), average_(size) {
  ask_next();
}

void AcceleratedDescent::ask_next() {
  const double weight = 2 / (static_cast<double>(moves_) + 2);  // 1/gamma
  query_ = mixed(weight, last_, average_);
  of_query_ = mixed(weight, of_last_, of_average_);
}

double AcceleratedDescent::squared(const Parts& parts, bool with_first) const {
  double sum = with_first ? parts[0] * parts[0] * norm_ * norm_ : 0;
  for (std::size_t i = 0; i < noises_.size(); ++i) sum += parts[i + 1] * parts[i + 1] * noises_[i];
  return sum;
}

double AcceleratedDescent::left() const { return std::min(norm_ * norm_, squared(of_query_, true)); }

void AcceleratedDescent::move(std::span<const double> c, std::span<const double> descent, double noise) {
  const double weight = 2 / (static_cast<double>(moves_) + 2);
  double squares = 0;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    last_[i] = c[i] + step_ * descent[i];
    squares += last_[i] * last_[i];
  }
  if (squares > norm_ * norm_) {
    for (double& b : last_) b *= norm_ / std::sqrt(squares);
  }
  of_last_ = of_query_;
  for (double& part : of_last_) part *= 1 - step_;
  of_last_.push_back(step_);
  of_average_.push_back(0);
  noises_.push_back(noise);
  average_ = mixed(weight, last_, average_);
  of_average_ = mixed(weight, of_last_, of_average_);
  ++moves_;
  ask_next();
}

}  // namespace sotto::analyzer
