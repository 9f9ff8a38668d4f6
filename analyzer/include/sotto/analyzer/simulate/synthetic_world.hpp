// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Synthetic data of a sparse regression or mean with a known truth.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"
#include "sotto/analyzer/simulate/synthetic_spec.hpp"

namespace sotto::analyzer {

/// A fleet with a known truth. The rows of a device are a function of the seed and its number. Normal variables come
/// from a table of 65,536 equiprobable quantiles (src/simulate/normal_table.hpp), none beyond 4.33 deviations; at
/// unit_q15 = 8192 they are clamped at 4, which leaves a variance of 0.9999. y is computed from the features as the
/// device holds them, so rounding x adds no noise.
class SyntheticWorld final : public FleetData {
 public:
  /// check(spec) must have passed. The support and the signs are drawn from the seed.
  explicit SyntheticWorld(const SyntheticSpec& spec);

  [[nodiscard]] std::uint64_t devices() const noexcept override { return spec_.devices; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return spec_.features; }
  void read(std::uint64_t device, DeviceRows& out) const override;

  [[nodiscard]] const SyntheticSpec& spec() const noexcept { return spec_; }
  /// beta (for Task::mean the mean), with zeros.
  [[nodiscard]] const std::vector<double>& truth() const noexcept { return truth_; }
  /// The indices of its nonzero entries, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& support() const noexcept { return support_; }
  /// The effects of the columns between devices on the level, in units of the target.
  [[nodiscard]] const std::vector<double>& level_truth() const noexcept { return level_truth_; }
  /// The Q15 value of 1.0 in a feature: unit_q15, or 32767 for Design::unit_ball, whose numbers never exceed 1.
  [[nodiscard]] double feature_unit() const noexcept { return feature_unit_; }
  /// Standard deviation of the target among all rows, in its units.
  [[nodiscard]] double target_deviation() const;
  /// The Q15 value of 1.0 in the target: unit_q15, divided by 8 for the cosine, whose targets are 8 times as large.
  [[nodiscard]] double target_unit() const { return spec_.unit_q15 / link_deviation(spec_.link); }

 private:
  void draw_truth(Xoshiro& random);
  void state_truth();
  void draw_features(Xoshiro& random, Q15* row) const;
  void draw_unit_ball(Xoshiro& random, Q15* row) const;
  void draw_around_mean(Xoshiro& random, Q15* row) const;
  [[nodiscard]] double draw_noise(Xoshiro& random) const;
  /// Fills the columns that are constant on a device, and returns its level.
  [[nodiscard]] double draw_level(std::uint64_t device, std::span<Q15> columns) const;
  void misstate(DeviceRows& rows) const;
  [[nodiscard]] double draw_target(Xoshiro& random, double fit) const;

  SyntheticSpec spec_;
  double feature_unit_;
  std::vector<double> truth_, level_truth_;
  std::vector<std::uint32_t> support_;
  /// Of each feature and of the target: what a device subtracts and divides by too much, in Q15 and as a factor.
  std::vector<std::pair<double, double>> misstated_;
  std::vector<Q15> normal_q15_;  ///< the table of quantiles in feature units
};

}  // namespace sotto::analyzer
