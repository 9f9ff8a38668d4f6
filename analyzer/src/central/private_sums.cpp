// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "private_sums.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/central/exact_draws.hpp"

namespace sotto::analyzer::central {

RowSampler::RowSampler(const Sample& sample, double share, Adjacency adjacency)
    : sample_(sample), adjacency_(adjacency) {
  if (share >= 1) return;
  if (adjacency == Adjacency::add_remove) {
    threshold_ = static_cast<std::uint64_t>(std::ceil(std::ldexp(share, 32)));
    share_ = std::ldexp(static_cast<double>(threshold_), -32);
    return;
  }
  fixed_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(share * sample.count)), 1, sample.rows.size());
  share_ = static_cast<double>(fixed_) / static_cast<double>(sample.rows.size());
  order_ = sample.rows;
}

const std::vector<std::uint32_t>& RowSampler::draw(Coins& coins) {
  if (share_ >= 1) return sample_.rows;
  drawn_.clear();
  if (adjacency_ == Adjacency::add_remove) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < sample_.rows.size(); ++i) {
      word = i % 2 == 0 ? coins.word() : word >> 32;
      if ((word & 0xffffffffu) < threshold_) drawn_.push_back(sample_.rows[i]);
    }
    return drawn_;
  }
  for (std::size_t i = 0; i < fixed_; ++i) {
    std::swap(order_[i], order_[i + coins.below(order_.size() - i)]);
    drawn_.push_back(order_[i]);
  }
  return drawn_;
}

RenyiCurve sampled_curve(double share, double z, Adjacency adjacency) {
  return adjacency == Adjacency::add_remove ? poisson_curve(share, z) : without_replacement_curve(share, z);
}

std::vector<double> GradientMeans::mean(const std::vector<std::uint32_t>& rows, double divisor, const Weights& w,
                                        double clip, double z, const Weights* from) {
  const Problem& problem = sample_.problem;
  std::vector<double> out(sum_.size());
  if (z == 0) {
    for (const std::uint32_t row : rows) {
      double r = residual(problem, dot(problem.x, row, w), problem.y[row]);
      if (from != nullptr) r -= residual(problem, dot(problem.x, row, *from), problem.y[row]);
      problem.x.visit(row, [&](std::uint32_t j, float v) { out[j] += r * v; });
    }
    for (double& v : out) v /= divisor;
    return out;
  }
  const NoiseGrid grid = noise_grid(z, clip, adjacency_);
  std::fill(sum_.begin(), sum_.end(), 0);
  add_clipped_gradients(problem, rows, w, from, clip, grid, sum_);
  const GridGaussian noise(grid.log2_sigma);
  for (std::size_t j = 0; j < out.size(); ++j) {
    out[j] = static_cast<double>(sum_[j] + noise.draw(coins_)) * grid.step / divisor;
  }
  return out;
}

std::vector<double> stepped(const Weights& w, const std::vector<double>& gradient, double eta, double l2) {
  std::vector<double> next(gradient.size());
  for (std::size_t j = 0; j < next.size(); ++j) next[j] = w.at[j] - eta * (gradient[j] + l2 * w.at[j]);
  return next;
}

double step_rule(const Problem& problem, double rows, double steps, double noise, double nonzeros, double cap) {
  const double margin = problem.loss == Loss::logistic ? 1 : problem.bounds.target / 2;
  const double share = std::min(1.0, nonzeros / static_cast<double>(problem.x.columns()));
  const double by_noise =
      margin * problem.curvature() * rows / (problem.residual_scale() * std::sqrt(steps) * noise * std::sqrt(share));
  return std::min(by_noise, cap);
}

std::uint32_t steps_rule(std::uint32_t base, double strength, double enough, std::uint32_t most) {
  const double steps = base * std::sqrt(std::max(1.0, strength / enough));
  return static_cast<std::uint32_t>(std::min<double>(std::round(steps), most));
}

// Rows of d independent features have curvature about row^2 / d in every direction, whereas dependent features may have
// all of it in one. The squared loss diverges with longer steps; the logistic loss, whose curvature decreases away from
// zero, allows slightly longer ones.
double wide_cap(const Problem& problem) {
  const double independent = 2.0 / 3 * static_cast<double>(problem.x.columns());
  if (problem.bounds.is_independent) return independent;
  const double shortened = problem.bounds.is_one_scale ? 0.25 : 1;
  return problem.loss == Loss::logistic ? std::min(64 * shortened, 3 * independent)
                                        : std::min(8 * shortened, independent);
}

double narrow_cap(const Problem& problem) {
  if (problem.bounds.is_independent) return wide_cap(problem);
  return std::min(wide_cap(problem), problem.loss == Loss::logistic ? 16.0 : 4.0);
}

}  // namespace sotto::analyzer::central
