// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {

/// Variance of the discrete Gaussian with parameter s2, by its own sum; s2 itself within 10^-6, relative, for s2 >= 1.
[[nodiscard]] double discrete_gaussian_variance(std::uint32_t parameter);

/// Coordinate-wise means of vectors with discrete Gaussian noise, in grid steps. Derivation: analyzer/math/gaussian.md
class GaussianAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GaussianAggregate> open(const GaussianSpec& spec);

  /// Refuses  a report of another dimension, or with a coordinate outside 24 bits, as a whole: false, and counted.
  bool absorb(std::span<const std::int32_t> report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const GaussianAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<GaussianAggregate> load(const GaussianSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of the reports: unbiased for the clipped values. The wire's clamp is never reached by the
  ///           sampler.
  /// Error     standard_error from the spread; noise_error from discrete_gaussian_variance().
  [[nodiscard]] std::vector<ScalarMean> close() const;

  [[nodiscard]] const GaussianSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  GaussianAggregate(const GaussianSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  GaussianSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
