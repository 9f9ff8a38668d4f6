// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// Mean direction from one-bit hemisphere reports: the signed sum of the public normals. Derivation: analyzer/math/hemisphere.md
class HemisphereAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<HemisphereAggregate> open(const HemisphereSpec& spec);

  /// Refuses  a report that is not 0 or 1, and any after 2^39: false, and counted.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const HemisphereAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<HemisphereAggregate> load(const HemisphereSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  z = b u sqrt(pi/2) / (s (2p-1)), b = +-1, s^2 = 1253.75 the variance of a coordinate of u, p = T/2^32. Biased by
  ///           less than 0.3 per cent along x, the distance of u from a normal vector.
  /// Error     Var z_j = (pi/2) / (2p-1)^2 - x_j^2. E z_j^2 does not depend on x, so both errors are this one.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const HemisphereSpec& spec() const noexcept { return spec_; }

 private:
  HemisphereAggregate(const HemisphereSpec& spec, VectorSums sums) : spec_(spec), sums_(std::move(sums)) {}
  HemisphereSpec spec_;
  VectorSums sums_;
};

/// The codeword of a report: +u for 1, -u for 0, `dimension` numbers of at most 106.
void hemisphere_codeword(const HemisphereSpec& spec, const CoinLabel& label, std::uint32_t report,
                         std::int8_t* out) noexcept;

}  // namespace sotto::analyzer
