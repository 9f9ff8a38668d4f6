// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/laplace.hpp"

namespace sotto::analyzer {

/// Variance of the noise in grid steps squared, before it wraps: 2 sum_j 4^j p_j (1 - p_j), p_j the exact digit coins.
[[nodiscard]] double laplace_noise_variance(const LaplaceSpec& spec);
/// How far the decoded mean can be from the true one, in grid steps, because a report wrapped around the circle.
[[nodiscard]] double laplace_wrap_bias_bound(const LaplaceSpec& spec);

/// The mean of values in -G .. G grid steps with discrete Laplace noise on a circle. Derivation:
/// analyzer/math/laplace.md
class LaplaceAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<LaplaceAggregate> open(const LaplaceSpec& spec);

  /// Refuses  a report outside the circle, 2^bits or more: false, and counted.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const LaplaceAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<LaplaceAggregate> load(const LaplaceSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of the reports taken nearest to zero, in grid steps; off by at most bias_bound.
  /// Error     standard_error from the spread; noise_error from laplace_noise_variance().
  [[nodiscard]] ScalarMean close() const;

  [[nodiscard]] const LaplaceSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  LaplaceAggregate(const LaplaceSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  LaplaceSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
