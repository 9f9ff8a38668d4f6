// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// First and second moments, or group means, of vectors that devices sent with discrete Gaussian noise. Protocols that
/// collect one report of each device once estimate regressions and medians of means from them.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {

/// Which sums are kept.
enum class MomentLayout : std::uint8_t {
  products,  ///< all sums of z_i and of z_i z_j: second moments, from which the known noise variance is subtracted
  groups,    ///< sums of z_i in each of k_vector_groups groups: medians of means; memory is linear in the dimension
};
/// The number of groups. A report belongs to the group of its pseudonym modulo this number.
inline constexpr std::uint32_t k_vector_groups = 8;

/// Integer sums of the reported vectors z, and of their products or by group. A product has up to 46 bits and is added
/// in two parts of 23 bits, as power_sums.hpp does, so that the sums of 2^39 reports stay within int64.
class GaussianMoments {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GaussianMoments> open(const GaussianSpec& spec, MomentLayout layout);

  /// Adds one report of `dimension` numbers, in grid steps.
  /// Refuses  a report of another dimension, or with a number outside 24 bits: returns false and counts it as refused.
  bool absorb(std::uint64_t pseudonym, std::span<const std::int32_t> report) noexcept;
  Result<Done> merge(const GaussianMoments& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  static Result<GaussianMoments> load(const GaussianSpec& spec, MomentLayout layout,
                                      std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t used() const noexcept { return sums_.used(); }
  [[nodiscard]] std::uint32_t dimension() const noexcept { return spec_.dimension; }
  /// The variance of the noise in one number, in grid steps squared, exact from its distribution.
  [[nodiscard]] double noise_variance() const;

  /// Estimate  the mean of each number, in grid steps. Unbiased.
  [[nodiscard]] std::vector<double> mean() const;
  /// Estimate  E z_i z_j over the reports, row by row, with the noise variance subtracted on the diagonal. Unbiased.
  ///           Only for MomentLayout::products.
  [[nodiscard]] std::vector<double> second_moments() const;
  /// The means of the groups that have reports. Only for MomentLayout::groups.
  [[nodiscard]] std::vector<std::vector<double>> group_means() const;

 private:
  GaussianMoments(const GaussianSpec& spec, MomentLayout layout, Sums sums)
      : spec_(spec), layout_(layout), sums_(std::move(sums)) {}

  GaussianSpec spec_;
  MomentLayout layout_;
  Sums sums_;
};

/// Decodes a payload of three bytes for each number, two's complement.
[[nodiscard]] std::vector<std::int32_t> unpack_vector(std::span<const std::uint8_t> payload);

}  // namespace sotto::analyzer
