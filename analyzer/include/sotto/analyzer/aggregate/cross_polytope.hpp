// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// Mean direction from rotated cross-polytope reports. Derivation: analyzer/math/cross_polytope.md
class CrossPolytopeAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<CrossPolytopeAggregate> open(const CrossPolytopeSpec& spec);

  /// Refuses  a report of 2D or more, and any after 2^39: false, and counted.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const CrossPolytopeAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<CrossPolytopeAggregate> load(const CrossPolytopeSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  z = (rotated back codeword) / m, m = (S_k / E chi_D) (p/k - (1-p)/(2D-k)), S_k the expected sum of the k largest
  ///           of D |normals|. Biased along x by at most 0.4 per cent at D = 64, less above: three rounds are not quite a
  ///           uniform rotation.
  /// Error     standard_error from the sums of squares; noise_error from E z_j^2 = along x_j^2 + across (1 - x_j^2).
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const CrossPolytopeSpec& spec() const noexcept { return spec_; }

 private:
  CrossPolytopeAggregate(const CrossPolytopeSpec& spec, VectorSums sums) : spec_(spec), sums_(std::move(sums)) {}
  CrossPolytopeSpec spec_;
  VectorSums sums_;
};

/// The codeword of a report, rotated back and not normalised: D numbers, D^(3/2) times a unit vector, so none is above 2^18.
/// out holds D numbers, those beyond the dimension included.
void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int32_t* out) noexcept;
/// The same for D <= 512, where 16 bits are enough and twice as fast.
void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int16_t* out) noexcept;
inline constexpr std::uint32_t k_narrow_log2_size = 9;

}  // namespace sotto::analyzer
