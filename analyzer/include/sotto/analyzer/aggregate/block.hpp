// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean sign of each of p coordinates from reports of the block randomizer, in which a device reports k
/// signs at once. Reports are absorbed into integer sums, which merge in any order and save to bytes; close() turns
/// them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/block.hpp"

namespace sotto::analyzer {

/// The agreement m: the mean of (reported sign) * (true sign), the same for every coordinate of a block of k signs. It
/// is m = C(k-1, t) (p/A - (1-p)/(2^k - A)), with A the number of words within t flips of the truth, and p = T/2^32 the
/// probability of reporting one of these.
[[nodiscard]] double block_agreement(const BlockSpec& spec);

/// The sums of block reports. Public coins decide which k of the p coordinates a device reports. Kept for each
/// coordinate: the sum of the reported signs, and how many blocks held it. Derivation: analyzer/math/block.md
class BlockAggregate {
 public:
  /// `coordinates` is p, k <= p <= 2^24.
  /// Refuses  what check_spec() refuses; spec.bad_dimension: p outside its range.
  static Result<BlockAggregate> open(const BlockSpec& spec, std::uint32_t coordinates);

  /// Refuses  a report of 2^k or more, and every report after 2^39: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses; an aggregate with another p counts as another spec.
  Result<Done> merge(const BlockAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<BlockAggregate> load(const BlockSpec& spec, std::uint32_t coordinates,
                                     std::span<const std::uint8_t> bytes);

  /// Estimate  mean_j = (sum of the reported signs of j) / (m n_j), with n_j the number of reports whose block held j:
  ///           unbiased given the blocks, which do not depend on the answers. For a coordinate that no block held the
  ///           mean is 0 and the errors are infinite.
  /// Error     Var = (1/m^2 - mean_j^2) / n_j, whatever the answers are, since the square of a sign is 1. noise_error
  ///           clips a mean beyond 1 to 1; standard_error divides by n_j - 1.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const BlockSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] std::uint32_t coordinates() const noexcept { return coordinates_; }

 private:
  BlockAggregate(const BlockSpec& spec, std::uint32_t coordinates, Sums sums)
      : spec_(spec), coordinates_(coordinates), sums_(std::move(sums)) {}
  BlockSpec spec_;
  std::uint32_t coordinates_;
  Sums sums_;  ///< p sums of signs, then p counts
};

}  // namespace sotto::analyzer
