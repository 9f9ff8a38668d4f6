// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates category counts from reports of Hadamard response, which needs no public coins. Reports are absorbed into
/// integer sums, which merge in any order and save to bytes; close() turns them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/hadamard_response.hpp"

namespace sotto::analyzer {

/// The histogram of Hadamard response reports over 2^L outcomes. Derivation: analyzer/math/hadamard_response.md
class HadamardResponseAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<HadamardResponseAggregate> open(const HadamardResponseSpec& spec);

  /// Refuses  a report of 2^L or more: returns false and counts it as refused.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports);
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const HadamardResponseAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<HadamardResponseAggregate> load(const HadamardResponseSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  c_v = (Walsh-Hadamard transform of the histogram)_(v+1) / (2p - 1), with p = T/2^32 the probability of
  ///           reporting an outcome of the category's own half: unbiased; it may be negative.
  /// Error     Var c_v = n / (2p-1)^2 - c_v, with n reports and c_v clipped to [0, n].
  [[nodiscard]] CategoryCounts close() const;

  [[nodiscard]] const HadamardResponseSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  HadamardResponseAggregate(const HadamardResponseSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  HadamardResponseSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
