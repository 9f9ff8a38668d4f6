// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {

/// What is kept of vectors with discrete Gaussian noise.
enum class MomentLayout : std::uint8_t {
  products,  ///< all sums of z_i and of z_i z_j: for moments, whose known noise is taken off
  groups,    ///< the sums of z_i of k_vector_groups groups: for medians of means. Memory does not grow with the square
};
/// A report belongs to the group of its pseudonym modulo this.
inline constexpr std::uint32_t k_vector_groups = 8;

/// Sums of vectors, and of their products or by groups. A product has up to 46 bits and is added in two parts of 23, as power sums
/// do, so that 2^39 reports stay within int64.
class GaussianMoments {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GaussianMoments> open(const GaussianSpec& spec, MomentLayout layout);

  /// One report of `dimension` numbers, in grid steps. Refuses a number that no device sends: false, and counted.
  bool absorb(std::uint64_t pseudonym, std::span<const std::int32_t> report) noexcept;
  Result<Done> merge(const GaussianMoments& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  static Result<GaussianMoments> load(const GaussianSpec& spec, MomentLayout layout,
                                      std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t used() const noexcept { return sums_.used(); }
  [[nodiscard]] std::uint32_t dimension() const noexcept { return spec_.dimension; }
  /// Variance of the noise in one number, in grid steps squared: exact, from the law.
  [[nodiscard]] double noise_variance() const;

  /// Estimate  the mean of each number, in grid steps. Unbiased.
  [[nodiscard]] std::vector<double> mean() const;
  /// Estimate  E z_i z_j over reports, row by row, with the noise's variance taken off the diagonal. Unbiased. Products only.
  [[nodiscard]] std::vector<double> second_moments() const;
  /// Means of the groups that have reports, one after the other. Groups only.
  [[nodiscard]] std::vector<std::vector<double>> group_means() const;

 private:
  GaussianMoments(const GaussianSpec& spec, MomentLayout layout, Sums sums)
      : spec_(spec), layout_(layout), sums_(std::move(sums)) {}

  GaussianSpec spec_;
  MomentLayout layout_;
  Sums sums_;
};

/// A payload of three bytes a number, two's complement.
[[nodiscard]] std::vector<std::int32_t> unpack_vector(std::span<const std::uint8_t> payload);

}  // namespace sotto::analyzer
