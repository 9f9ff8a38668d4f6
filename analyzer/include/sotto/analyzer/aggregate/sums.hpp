// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The state of every estimator: integer sums of what reports contribute, which can be added, merged, saved and loaded
/// with exact results. Threads, processes and stores exchange these bytes.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"
#include "sotto/spec/two_level_spec.hpp"

namespace sotto::analyzer {

/// An aggregate accepts at most this many reports, so that a sum of terms of at most 2^23 stays within 2^62.
inline constexpr std::uint64_t k_reports_max = std::uint64_t{1} << 39;
inline constexpr std::int64_t k_term_max = std::int64_t{1} << 23;

/// The layout of the sums of one spec.
struct SumsShape {
  Stem stem{};                ///< the randomizer
  Digest spec{};              ///< digest of the spec that the reports were made with
  std::size_t count = 0;      ///< number of sums
  std::int64_t term_max = 1;  ///< largest |term| that one report adds to a sum, 1 .. k_term_max
  bool is_histogram = false;  ///< each report adds 1 to exactly one sum
};

/// Integer sums, and how many reports were used or refused. Addition is associative and commutative, so threads and
/// machines reach the same bytes in any order and grouping; floating point begins in close().
///
/// Bytes of save(), little-endian: version 1 (1), stem, which is the number of the randomizer (1), digest of the spec
/// (32), reports used (8), reports refused (8), number of sums (4), the sums (8 each, two's complement), SHA-256 of all
/// bytes before it (32). The numbers in parentheses are sizes in bytes.
class Sums {
 public:
  explicit Sums(const SumsShape& shape) : shape_(shape), sums_(shape.count, 0) {}

  [[nodiscard]] std::span<std::int64_t> values() noexcept { return sums_; }
  [[nodiscard]] std::span<const std::int64_t> values() const noexcept { return sums_; }
  [[nodiscard]] std::uint64_t used() const noexcept { return used_; }
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  [[nodiscard]] const SumsShape& shape() const noexcept { return shape_; }
  [[nodiscard]] bool has_room(std::uint64_t reports = 1) const noexcept { return reports <= k_reports_max - used_; }

  void count_used(std::uint64_t reports = 1) noexcept { used_ += reports; }
  void count_refused(std::uint64_t reports = 1) noexcept { refused_ = add_saturating(refused_, reports); }

  /// Refuses  aggregate.other_spec; aggregate.full: together more than k_reports_max reports. On refusal nothing is
  ///          added.
  Result<Done> merge(const Sums& other);

  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  aggregate.truncated, .bad_version, .other_spec, .bytes_left_over, .altered (checksum), .implausible (a
  ///          sum that this many reports cannot reach). Every byte string gives either a value or an error, and the
  ///          memory used depends on the spec, not on the bytes.
  static Result<Sums> load(const SumsShape& shape, std::span<const std::uint8_t> bytes);

 private:
  [[nodiscard]] bool plausible() const noexcept;

  SumsShape shape_;
  std::vector<std::int64_t> sums_;
  std::uint64_t used_ = 0, refused_ = 0;
};

}  // namespace sotto::analyzer
