// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/special_functions/erf.hpp>

#include "moment_sums.hpp"
#include "sotto/analyzer/accountant/calibrate.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"
#include "sotto/analyzer/central/grid_sum.hpp"

namespace sotto::analyzer::central {
namespace {

// Shares of the precision: for two quantiles of every column, for the common range of columns that are too concentrated
// for quantiles (the pool), and for means and squares (powers).
struct Shares {
  double quantiles, pool, powers;
};
constexpr Shares k_each = {0.5, 0.1, 0.4}, k_common = {0, 0.2, 0.8};
constexpr int k_halvings = 12;  // bisection steps from all places down to one
static_assert(k_places <= 1u << k_halvings);
// Counts of values below two thresholds of every column: one for each halving, and one for zeros.
constexpr int k_counts = k_halvings + 1;
// The two quantiles are at tail and 1 - tail. The tail is k_tail_noises standard deviations of the noise, clipped to
// [k_tail_min, k_tail_max]: quantiles farther out lie in the tails of the distribution, and quantiles too near the
// median say nothing about its width. With more noise than k_noise_max no quantiles are measured.
constexpr double k_tail_noises = 3, k_tail_min = 0.02, k_tail_max = 0.3, k_noise_max = 0.15;
constexpr double k_range_deviations = 2.5;  // half width of a range, for a normal column
// With more noise than this, two counts cannot tell whether nearly all of a column's values are zero.
constexpr double k_zero_noise_max = 0.03;
constexpr double k_false_alarm = 0.01;       // bound on the probability that any empty octave looks occupied
constexpr double k_pooled_min = 1.0 / 1000;  // share of the pool's values: octaves with less are tails

/// A bound in standard deviations: the noise of any of this many counts exceeds it with probability at most
/// k_false_alarm.
double noise_reach(double counts) { return std::sqrt(2 * std::log(counts / k_false_alarm)); }

class MomentsRun {
 public:
  MomentsRun(const ColumnTable& table, double precision, Adjacency adjacency, Coins& coins)
      : table_(table),
        rows_(static_cast<double>(table.rows())),
        columns_(static_cast<double>(table.columns())),
        precision_(precision),
        adjacency_(adjacency),
        coins_(coins),
        ranges_(table.columns()) {}

  PaidMoments run() {
    // The noise is public: it follows from the numbers of rows and columns and from the budget.
    noise_ = std::sqrt(2 * columns_) * deviation(k_each.quantiles / k_counts) / 2 / rows_;
    out_.is_common_range = noise_ > k_noise_max;
    const Shares& shares = out_.is_common_range ? k_common : k_each;
    // All counts are charged, whether they are needed or not, because the cost must not depend on the data.
    for (int i = 0; i < k_counts; ++i) charge(shares.quantiles / k_counts, 2 * columns_);
    charge(shares.pool, k_octaves);
    charge(shares.powers, 2 * columns_);
    if (out_.is_common_range) {
      pool_.resize(table_.columns());
      std::iota(pool_.begin(), pool_.end(), 0u);
    } else {
      find_ranges(shares.quantiles / k_counts);
    }
    find_common_range(shares.pool);
    measure(shares.powers);
    return std::move(out_);
  }

 private:
  [[nodiscard]] double multiplier(double share) const { return 1 / std::sqrt(share * precision_); }
  /// The standard deviation of the noise over the norm of a row's contribution, for a release with this share.
  [[nodiscard]] double deviation(double share) const { return multiplier(share) * reach(adjacency_); }

  void charge(double share, double draws) {
    if (share == 0) return;
    const NoiseGrid grid = noise_grid(multiplier(share), 1, adjacency_);
    out_.releases.push_back({grid.z, draws, grid.log2_sigma});
  }

  /// The noisy sum of what `add(unit, sum)` adds, divided by the unit. A row adds a vector of this squared norm, in
  /// units.
  template <class Add>
  std::vector<double> release(double share, std::size_t size, double squared_length, Add add) {
    const NoiseGrid grid = noise_grid(multiplier(share), 1, adjacency_);
    const std::int64_t unit = unit_within(grid.longest_row, squared_length);
    std::vector<std::int64_t> sum(size);
    add(unit, std::span(sum));
    const GridGaussian noise(grid.log2_sigma);
    std::vector<double> noisy(size);
    for (std::size_t i = 0; i < size; ++i)
      noisy[i] = static_cast<double>(sum[i] + noise.draw(coins_)) / static_cast<double>(unit);
    return noisy;
  }

  /// The noisy share of rows below each threshold.
  std::vector<double> shares_below(double share, const std::vector<std::uint32_t>& thresholds) {
    std::vector<double> below =
        release(share, thresholds.size(), squared_below(thresholds.size()),
                [&](std::int64_t unit, std::span<std::int64_t> sum) { table_.add_below(thresholds, unit, sum); });
    for (double& v : below) v = (v / rows_ + 1) / 2;
    return below;
  }

  /// Finds a low and a high quantile of every column by bisection, and a range that reaches beyond them. A column with
  /// so many zeros that the noise alone might decide the quantile goes to the pool.
  void find_ranges(double share) {
    const double tail = std::clamp(k_tail_noises * noise_, k_tail_min, k_tail_max), wanted[] = {tail, 1 - tail};
    std::vector<std::uint32_t> low(2 * table_.columns(), 0), high(low.size(), k_places), middle(low.size());
    for (int i = 0; i < k_halvings; ++i) {
      for (std::size_t at = 0; at < low.size(); ++at) middle[at] = (low[at] + high[at]) / 2;
      const std::vector<double> below = shares_below(share, middle);
      for (std::size_t at = 0; at < low.size(); ++at) (below[at] < wanted[at % 2] ? low : high)[at] = middle[at];
    }
    for (std::size_t at = 0; at < middle.size(); ++at) middle[at] = k_zero_place + (at % 2 == 0 ? 0 : 1);
    const std::vector<double> zero = shares_below(share, middle);
    const double most_zeros =
        noise_ > k_zero_noise_max ? std::numeric_limits<double>::infinity() : 1 - tail - 3 * noise_;
    // The distance of these quantiles from the mean of a normal column, in standard deviations.
    const double quantile = std::sqrt(2.0) * boost::math::erf_inv(1 - 2 * tail);
    for (std::uint32_t j = 0; j < table_.columns(); ++j) {
      const auto [first, last] = std::minmax(low[2 * j], low[2 * j + 1]);
      const bool is_zero = first == k_zero_place && last == k_zero_place;
      if (is_zero || zero[2 * j + 1] - zero[2 * j] > most_zeros) {
        pool_.push_back(j);
        continue;
      }
      const ColumnRange found = range_of_places(first, last);
      const double half = found.half() * k_range_deviations / quantile;
      ranges_[j] = {found.middle() - half, found.middle() + half};
    }
  }

  /// One range for all columns of the pool: the octaves whose counts exceed the noise. A pool that shows only zeros has
  /// none.
  void find_common_range(double share) {
    if (pool_.empty()) return;
    const auto size = static_cast<double>(pool_.size());
    const std::vector<double> counts =
        release(share, k_octaves, squared_octaves(pool_.size()),
                [this](std::int64_t unit, std::span<std::int64_t> sum) { table_.add_octaves(pool_, unit, sum); });
    const double least = std::max(size * deviation(share) * noise_reach(k_octaves), k_pooled_min * size * rows_);
    std::size_t first = k_octaves, last = 0;
    for (std::size_t c = 0; c < k_octaves; ++c) {
      if (counts[c] < least) continue;
      first = std::min(first, c);
      last = c;
    }
    if (first == k_octaves || (first == k_zero_octave && last == k_zero_octave)) return;
    ColumnRange common = range_of_octaves(first, last);
    // If there are many zeros the range is centred at zero, so that the value zero is scaled to zero.
    if (counts[k_zero_octave] >= least) {
      const double most = std::max(-common.low, common.high);
      common = {-most, most};
    }
    for (const std::uint32_t j : pool_) ranges_[j] = common;
  }

  /// Measures means and squares within the ranges.
  void measure(double share) {
    const double squared_length = squared_powers(table_.columns());
    const std::vector<double> sums =
        release(share, 2 * table_.columns(), squared_length,
                [this](std::int64_t unit, std::span<std::int64_t> sum) { table_.add_powers(ranges_, unit, sum); });
    const double noise = std::sqrt(squared_length) * deviation(share) / rows_;
    std::vector<double> mean(table_.columns()), square(mean), square_noise(mean.size(), noise);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      mean[j] = std::clamp(sums[2 * j] / rows_, -1.0, 1.0);
      square[j] = std::clamp(sums[2 * j + 1] / rows_ + 0.5, 0.0, 1.0);
    }
    shrink_pool(mean, noise);
    const double kept = shrink_pool(square, noise);
    for (const std::uint32_t j : pool_)
      square_noise[j] = noise * std::max(kept, 1 / std::sqrt(static_cast<double>(pool_.size())));
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double half = ranges_[j].half();
      Scale scale;
      if (half > 0) {
        // Two standard deviations of the noise are the smallest variance that is distinguishable from zero.
        const double variance = std::max(square[j] - mean[j] * mean[j], std::min(2 * square_noise[j], 1.0));
        scale = {.offset = ranges_[j].middle() + half * mean[j], .deviation = half * std::sqrt(variance)};
      }
      out_.scales.push_back(scale);
    }
  }

  /// Shrinks the measurements of the pool's columns toward their mean, more strongly where noise explains more of their
  /// spread (James-Stein). Returns the factor that each column's own deviation is multiplied by, from 0 to 1.
  double shrink_pool(std::vector<double>& measured, double noise) const {
    constexpr std::size_t k_few = 4;
    if (pool_.size() < k_few) return 1;
    const auto size = static_cast<double>(pool_.size());
    double mean = 0, spread = 0;
    for (const std::uint32_t j : pool_) mean += measured[j] / size;
    for (const std::uint32_t j : pool_) spread += (measured[j] - mean) * (measured[j] - mean) / (size - 1);
    const double kept = spread > 0 ? std::max(0.0, 1 - noise * noise / spread) : 0;
    for (const std::uint32_t j : pool_) measured[j] = mean + kept * (measured[j] - mean);
    return kept;
  }

  const ColumnTable& table_;
  double rows_, columns_, precision_;
  double noise_ = 0;  ///< standard deviation of the noise in a share of rows below a threshold
  Adjacency adjacency_;
  Coins& coins_;
  std::vector<ColumnRange> ranges_;
  std::vector<std::uint32_t> pool_;
  PaidMoments out_;
};

}  // namespace

Result<double> moments_precision(double epsilon, double delta, double share) {
  const auto z = gaussian_multiplier(epsilon, delta);
  if (!z) return z.error();
  return share / (z.value() * z.value());
}

PaidMoments pay_moments(std::span<const float> values, std::size_t columns, Transform transform, double precision,
                        Adjacency adjacency, Coins& coins) {
  const ColumnTable table(values, columns, transform);
  return MomentsRun(table, precision, adjacency, coins).run();
}

}  // namespace sotto::analyzer::central
