// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of unit vectors from one-bit hemisphere reports: on which side of a public random hyperplane a
/// device's direction lies, randomized. Reports are absorbed into integer sums, which merge in any order and save to
/// bytes; close() turns them into an estimate with its error.

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// The signed sum of the public normal vectors u of the hyperplanes. Derivation: analyzer/math/hemisphere.md
class HemisphereAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<HemisphereAggregate> open(const HemisphereSpec& spec);

  /// Refuses  a report that is not 0 or 1, and every report after 2^39: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const HemisphereAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<HemisphereAggregate> load(const HemisphereSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  z = b u sqrt(pi/2) / (s (2p-1)), with b = +-1 the reported side, s^2 = 1253.75 the variance of a
  ///           coordinate of u, and p = T/2^32 the probability of reporting the true side. Biased along x by less than
  ///           0.3 per cent, because u, made of public bytes, is only approximately normal.
  /// Error     Var z_j = (pi/2) / (2p-1)^2 - x_j^2. E z_j^2 does not depend on x, so standard_error and noise_error
  ///           agree.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const HemisphereSpec& spec() const noexcept { return spec_; }

 private:
  HemisphereAggregate(const HemisphereSpec& spec, VectorSums sums) : spec_(spec), sums_(std::move(sums)) {}
  HemisphereSpec spec_;
  VectorSums sums_;
};

/// The codeword of a report: +u for 1 and -u for 0; `dimension` numbers of absolute value at most 106.
void hemisphere_codeword(const HemisphereSpec& spec, const CoinLabel& label, std::uint32_t report,
                         std::int8_t* out) noexcept;

}  // namespace sotto::analyzer
