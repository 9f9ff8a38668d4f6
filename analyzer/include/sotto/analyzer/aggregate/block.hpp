// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/block.hpp"

namespace sotto::analyzer {

/// m: the mean of (reported sign) * (true sign), the same for every coordinate of a block:
/// C(k-1, t) (p/A - (1-p)/(2^k - A)), A words within t flips, p = T/2^32.
[[nodiscard]] double block_agreement(const BlockSpec& spec);

/// Mean signs of p coordinates from blocks of k, each device's block drawn by its public coins: per coordinate the sum of the
/// reported signs, and how many blocks held it. Derivation: analyzer/math/block.md
class BlockAggregate {
 public:
  /// `coordinates` is p, k <= p <= 2^24.
  /// Refuses  what check_spec() refuses; spec.bad_dimension: p outside its range.
  static Result<BlockAggregate> open(const BlockSpec& spec, std::uint32_t coordinates);

  /// Refuses  a report of 2^k or more, and any after 2^39: false, and counted.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  what Sums::merge() refuses; another p is another spec.
  Result<Done> merge(const BlockAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<BlockAggregate> load(const BlockSpec& spec, std::uint32_t coordinates,
                                     std::span<const std::uint8_t> bytes);

  /// Estimate  mean_j = (sum of reported signs of j) / (m n_j), n_j the reports whose block held j: unbiased given the blocks,
  ///           which do not depend on the answers. A coordinate that no block held: mean 0, errors infinite.
  /// Error     Var = (1/m^2 - mean_j^2) / n_j whatever the answers are, since a sign's square is 1. noise_error takes a mean beyond 1
  ///           for 1; standard_error has n_j - 1 for n_j.
  [[nodiscard]] VectorMean close() const;

  [[nodiscard]] const BlockSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] std::uint32_t coordinates() const noexcept { return coordinates_; }

 private:
  BlockAggregate(const BlockSpec& spec, std::uint32_t coordinates, Sums sums)
      : spec_(spec), coordinates_(coordinates), sums_(std::move(sums)) {}
  BlockSpec spec_;
  std::uint32_t coordinates_;
  Sums sums_;  ///< p signed sums, then p counts
};

}  // namespace sotto::analyzer
