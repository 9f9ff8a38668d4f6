// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The aggregate of a round in which each device reports one rotated coordinate of a vector, as a bin or as a value.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/hadamard_response.hpp"
#include "sotto/analyzer/aggregate/laplace.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/analyzer/aggregate/window.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// The dimension of the vector of which a `bin` or `value` round asks one rotated coordinate; 0 if the round asks no
/// vector.
[[nodiscard]] std::uint32_t asked_vector_size(const Manifest& manifest, const Round& round) noexcept;

/// The sums of a `bin` or `value` round. Public coins choose the coordinate that a device reports, so there is one
/// aggregate for each coordinate, all of the same spec.
///
/// Bytes of save(), little-endian: version 1 (1), stem (1), dimension of the vector (4), bytes of one part (4), the
/// parts in the order of the coordinates as their own save() writes them, SHA-256 of all bytes before it (32).
class CoordinateAggregate {
 public:
  /// Refuses  what the stem's aggregate refuses; protocol.no_aggregate: a stem that this question does not use, or no
  ///          vector; protocol.large_aggregate: more than 2^24 sums.
  static Result<CoordinateAggregate> open(const Manifest& manifest, const Round& round, const AnySpec& spec);

  /// Refuses  a report outside the channel's outcomes: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Refuses  aggregate.other_spec: another stem, spec or number of coordinates; what Sums::merge() refuses. On refusal
  ///          nothing is added.
  Result<Done> merge(const CoordinateAggregate& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  what open() and Sums::load() refuse, with the same codes for the bytes before and after the parts.
  static Result<CoordinateAggregate> load(const Manifest& manifest, const Round& round, const AnySpec& spec,
                                          std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint32_t coordinates() const noexcept;
  [[nodiscard]] std::uint64_t used() const noexcept;
  [[nodiscard]] std::uint64_t refused() const noexcept;

  /// For a bin round: the counts of the bins of each coordinate. Empty for a value round.
  [[nodiscard]] std::vector<CategoryCounts> counts() const;
  /// For a value round: the mean within the coordinate's range, from -1 (low end) to 1 (high end). Empty for a bin
  /// round.
  [[nodiscard]] std::vector<ScalarMean> means() const;

 private:
  using Parts = std::variant<std::vector<WindowAggregate>, std::vector<LaplaceAggregate>, std::vector<GrrAggregate>,
                             std::vector<WalshHashAggregate>, std::vector<HadamardResponseAggregate>>;
  CoordinateAggregate(std::uint32_t size, Parts parts) : size_(size), parts_(std::move(parts)) {}

  std::uint32_t size_;  // dimension of the vector before it is padded
  Parts parts_;
};

}  // namespace sotto::analyzer
