// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/grid_sum.hpp"

// Sampling of rows, noisy mean gradients, and the public rules for step sizes and numbers of steps.
namespace sotto::analyzer::central {

/// The number of steps of a fit without privacy, limited only by time.
inline constexpr std::uint32_t k_limit_steps = 400;

/// Samples the rows that a step reads. A Poisson sample with share q uses 32-bit coins, so that the share drawn is q
/// rounded to 1/2^32.
class RowSampler {
 public:
  RowSampler(const Sample& sample, double share, Adjacency adjacency);
  /// The share actually drawn, for the accountant.
  [[nodiscard]] double share() const { return share_; }
  /// Under add_remove every row is included independently (Poisson sample); under replace_one a fixed number of rows is
  /// drawn without replacement.
  [[nodiscard]] const std::vector<std::uint32_t>& draw(Coins& coins);

 private:
  const Sample& sample_;
  Adjacency adjacency_;
  double share_ = 1;
  std::uint64_t threshold_ = 0;  ///< share of a Poisson sample, times 2^32
  std::size_t fixed_ = 0;        ///< number of rows of a sample without replacement
  std::vector<std::uint32_t> drawn_, order_;
};

/// The Renyi curve of one step on such a sample.
[[nodiscard]] RenyiCurve sampled_curve(double share, double z, Adjacency adjacency);

/// Means of gradients with noise, or without where there is no budget (z = 0).
class GradientMeans {
 public:
  GradientMeans(const Sample& sample, Coins& coins, Adjacency adjacency)
      : sample_(sample), coins_(coins), adjacency_(adjacency), sum_(sample.problem.x.columns()) {}

  /// The sum of clipped gradients at w over `rows`, with noise of z times the clip, divided by `divisor`. The l2 term
  /// is not included. With `from`: of differences between the gradients at w and at `from`.
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

/// The step size by a public rule: so long that the noise of all steps together changes a margin by about one
/// (logistic) or by half a standard deviation of the target, but no longer than the cap. In units of 1 / (curvature *
/// row bound^2). `noise`: standard deviation of a step's noise over clip / rows.
[[nodiscard]] double step_rule(const Problem& problem, double rows, double steps, double noise, double nonzeros,
                               double cap);
/// The number of steps by a public rule: `base` when the strength (rows * epsilon over the coordinates that carry
/// noise) is `enough`, more when it is larger, in proportion to its square root and up to `most`: where noise is small,
/// the error is mostly due to too few steps.
[[nodiscard]] std::uint32_t steps_rule(std::uint32_t base, double strength, double enough, std::uint32_t most);
/// The cap of the step size where all coordinates move, and where only a selected few do.
[[nodiscard]] double wide_cap(const Problem& problem);
[[nodiscard]] double narrow_cap(const Problem& problem);

}  // namespace sotto::analyzer::central
