// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of unit vectors (directions) from reports of the cross-polytope randomizer, which sends the index
/// of one vertex of a randomly rotated cross-polytope in D dimensions. Reports are absorbed into integer sums, which
/// merge in any order and save to bytes; close() turns them into an estimate with its error.

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// The sums of cross-polytope reports. D = 2^log2_size is the dimension after padding; the 2D vertices are +-e_j.
/// Derivation: analyzer/math/cross_polytope.md
class CrossPolytopeAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<CrossPolytopeAggregate> open(const CrossPolytopeSpec& spec);

  /// Refuses  a report of 2D or more, and every report after 2^39: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const CrossPolytopeAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<CrossPolytopeAggregate> load(const CrossPolytopeSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  z = (codeword rotated back) / m, m = (S_k / E chi_D) (p/k - (1-p)/(2D-k)), where p = T/2^32 is the
  ///           probability that one of the k vertices nearest to x is reported, S_k the expected sum of the k largest
  ///           of D absolute normals, and chi_D the length of a standard normal vector. Biased along x by at most 0.4
  ///           per cent at D = 64, and by less above: three rounds of sign flips and Hadamard transforms are not quite
  ///           a uniform rotation.
  /// Error     standard_error from the sums of squares; noise_error from E z_j^2 = along x_j^2 + across (1 - x_j^2),
  ///           with `along` and `across` from DirectionError.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const CrossPolytopeSpec& spec() const noexcept { return spec_; }

 private:
  CrossPolytopeAggregate(const CrossPolytopeSpec& spec, VectorSums sums) : spec_(spec), sums_(std::move(sums)) {}
  CrossPolytopeSpec spec_;
  VectorSums sums_;
};

/// The codeword of a report, rotated back and not normalised. Writes D numbers, including those beyond the dimension:
/// D^(3/2) times a unit vector, so none exceeds 2^18.
void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int32_t* out) noexcept;
/// The same for D <= 512, where 16 bits suffice and are twice as fast.
void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int16_t* out) noexcept;
inline constexpr std::uint32_t k_narrow_log2_size = 9;

}  // namespace sotto::analyzer
