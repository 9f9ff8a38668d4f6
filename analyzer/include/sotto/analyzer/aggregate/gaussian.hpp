// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of integer vectors from reports with discrete Gaussian noise. Reports are absorbed into integer
/// sums, which merge in any order and save to bytes; close() turns them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {

/// The variance of the discrete Gaussian with parameter s2, which has P(v) proportional to e^(-v^2 / (2 s2)), by
/// summation; for s2 >= 1 it equals s2 up to a relative difference of 10^-6.
[[nodiscard]] double discrete_gaussian_variance(std::uint32_t parameter);

/// The sums of such vectors and of their squares, by coordinate, in grid steps (the integer units of the reports).
/// Derivation: analyzer/math/gaussian.md
class GaussianAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GaussianAggregate> open(const GaussianSpec& spec);

  /// Refuses  a report of another dimension, or with a coordinate outside 24 bits: returns false and counts the whole
  ///          report as refused.
  bool absorb(std::span<const std::int32_t> report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const GaussianAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<GaussianAggregate> load(const GaussianSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of the reports: unbiased for the clipped values. The sampler never reaches the limits of the
  ///           wire format.
  /// Error     standard_error from the spread of the reports; noise_error from discrete_gaussian_variance().
  [[nodiscard]] std::vector<ScalarMean> close() const;

  [[nodiscard]] const GaussianSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  GaussianAggregate(const GaussianSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  GaussianSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
