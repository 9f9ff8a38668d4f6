// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of integers in [-G, G] from reports with discrete Laplace noise that wraps around a circle of
/// 2^bits steps. Reports are absorbed into integer sums, which merge in any order and save to bytes; close() turns them
/// into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/laplace.hpp"

namespace sotto::analyzer {

/// The variance of the noise before it wraps, in grid steps squared: 2 sum_j 4^j p_j (1 - p_j), with p_j the exact
/// probability that binary digit j of the noise is 1.
[[nodiscard]] double laplace_noise_variance(const LaplaceSpec& spec);
/// A bound, in grid steps, on the bias of the decoded mean that reports which wrapped around the circle cause.
[[nodiscard]] double laplace_wrap_bias_bound(const LaplaceSpec& spec);

/// The sums of the reports and of their squares, in grid steps. Derivation: analyzer/math/laplace.md
class LaplaceAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<LaplaceAggregate> open(const LaplaceSpec& spec);

  /// Refuses  a report of 2^bits or more: returns false and counts it as refused.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const LaplaceAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<LaplaceAggregate> load(const LaplaceSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of the reports, each taken as the representative nearest to zero, in grid steps; biased by at
  ///           most bias_bound.
  /// Error     standard_error from the spread of the reports; noise_error from laplace_noise_variance().
  [[nodiscard]] ScalarMean close() const;

  [[nodiscard]] const LaplaceSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  LaplaceAggregate(const LaplaceSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  LaplaceSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
