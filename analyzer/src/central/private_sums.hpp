// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/grid_sum.hpp"

namespace sotto::analyzer::central {

/// Of a fit without privacy, which only time limits.
inline constexpr std::uint32_t k_limit_steps = 400;

/// Which rows a step reads. Of the share q of rows that a Poisson sample wants, 32 bits count: `share` is the one that is drawn.
class RowSampler {
 public:
  RowSampler(const Sample& sample, double share, Adjacency adjacency);
  /// The share that the accountant has to be told.
  [[nodiscard]] double share() const { return share_; }
  /// Neighbours by one row more or less: every row by a coin of its own. By content: so many rows, without replacement.
  [[nodiscard]] const std::vector<std::uint32_t>& draw(Coins& coins);

 private:
  const Sample& sample_;
  Adjacency adjacency_;
  double share_ = 1;
  std::uint64_t threshold_ = 0;  ///< of 2^32
  std::size_t fixed_ = 0;        ///< rows of a sample without replacement
  std::vector<std::uint32_t> drawn_, order_;
};

/// What one step on such a sample costs.
[[nodiscard]] RenyiCurve sampled_curve(double share, double z, Adjacency adjacency);

/// Means of gradients with noise; without, where there is no budget (z = 0).
class GradientMeans {
 public:
  GradientMeans(const Sample& sample, Coins& coins, Adjacency adjacency)
      : sample_(sample), coins_(coins), adjacency_(adjacency), sum_(sample.problem.x.columns()) {}

  /// The sum of clipped gradients at w over `rows` with noise of z clips, divided by `divisor`. No term for l2.
  /// `from`: of differences of gradients at w and there.
  [[nodiscard]] std::vector<double> mean(const std::vector<std::uint32_t>& rows, double divisor, const Weights& w,
                                         double clip, double z, const Weights* from = nullptr);

 private:
  const Sample& sample_;
  Coins& coins_;
  Adjacency adjacency_;
  std::vector<std::int64_t> sum_;
};

/// w - eta (gradient + l2 w).
[[nodiscard]] std::vector<double> stepped(const Weights& w, const std::vector<double>& gradient, double eta, double l2);

/// A public step: so long that the noise of all steps together moves a margin by about one (logistic) or half a standard deviation of
/// the target, but no longer than the cap. In units of 1 / (curvature * row bound^2).
/// `noise`: standard deviation of a step's noise over clip / rows.
[[nodiscard]] double step_rule(const Problem& problem, double rows, double steps, double noise, double nonzeros,
                               double cap);
/// So many steps when rows * epsilon over the coordinates that carry noise is `enough`; more, by its square root, when it is larger, up
/// to `most`: where noise is small, too few steps are what is left of the error.
[[nodiscard]] std::uint32_t steps_rule(std::uint32_t base, double strength, double enough, std::uint32_t most);
/// The cap where all coordinates move, and where a chosen few do.
[[nodiscard]] double wide_cap(const Problem& problem);
[[nodiscard]] double narrow_cap(const Problem& problem);

}  // namespace sotto::analyzer::central
