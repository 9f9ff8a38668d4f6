// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of unit vectors from reports of the sphere-code randomizer, which sends the index of one of M
/// public random codewords, usually one of the k closest to the device's direction. Reports are absorbed into integer
/// sums, which merge in any order and save to bytes; close() turns them into an estimate with its error.

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// The sums of the reported codewords. Derivation: analyzer/math/sphere_code.md
class SphereCodeAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<SphereCodeAggregate> open(const SphereCodeSpec& spec);

  /// Refuses  a report of M or more, and every report after 2^39: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const SphereCodeAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<SphereCodeAggregate> load(const SphereCodeSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  z = u_i / m, m = S_k (p/k - (1-p)/(M-k)), with u_i the reported codeword, p = T/2^32 the probability
  ///           that one of the k closest is reported, and S_k the expected sum of the k largest of M first coordinates
  ///           of uniform points on the sphere. Biased along x by about 0.25 per cent either way (measured): codewords
  ///           made of bytes are not quite uniform on the sphere.
  /// Error     standard_error from the sums of squares; noise_error from E z_j^2 = along x_j^2 + across (1 - x_j^2),
  ///           with `along` and `across` from DirectionError.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const SphereCodeSpec& spec() const noexcept { return spec_; }

 private:
  SphereCodeAggregate(const SphereCodeSpec& spec, VectorSums sums) : spec_(spec), sums_(std::move(sums)) {}
  SphereCodeSpec spec_;
  VectorSums sums_;
};

/// A unit codeword in Q16: coordinates u_j/|u| rounded to nearest, halves away from zero, hence symmetric. The error is
/// 2^-17 plus the rounding of 1/|u|, below 2^-16 in all, which is a thousandth of a per cent of a report's noise.
inline constexpr std::uint32_t k_codeword_bits = 16;
void sphere_codeword_q16(const SphereCodeSpec& spec, const CoinLabel& label, std::uint32_t report,
                         std::int32_t* out) noexcept;

}  // namespace sotto::analyzer
