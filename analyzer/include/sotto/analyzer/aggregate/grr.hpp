// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates category counts from reports of generalised randomized response (GRR). Reports are absorbed into integer
/// sums, which merge in any order and save to bytes; close() turns them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/grr.hpp"

namespace sotto::analyzer {

/// The histogram of GRR reports: one integer for each category. Derivation: analyzer/math/grr.md
class GrrAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GrrAggregate> open(const GrrSpec& spec);
  /// The same with another stem and digest: a vote stores its sums under the digest of the vote's own spec.
  static Result<GrrAggregate> open(const GrrSpec& spec, Stem stem, const Digest& name);

  /// Refuses  a report that is not a category: returns false and counts it as refused.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports);
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const GrrAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<GrrAggregate> load(const GrrSpec& spec, std::span<const std::uint8_t> bytes);
  static Result<GrrAggregate> load(const GrrSpec& spec, Stem stem, const Digest& name,
                                   std::span<const std::uint8_t> bytes);

  /// Estimate  c_v = (n_v - n q)/(p - q): unbiased; it may be negative. n_v is the number of reports of category v
  ///           among n, c the number of categories, p = T/2^32 the probability of reporting the truth, q = (1-p)/(c-1)
  ///           that of any other category.
  /// Error     Var c_v = n q(1-q)/(p-q)^2 + c_v (1-p-q)/(p-q), with c_v clipped to [0, n].
  [[nodiscard]] CategoryCounts close() const;

  [[nodiscard]] const GrrSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  GrrAggregate(const GrrSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  GrrSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
