// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/grr.hpp"

namespace sotto::analyzer {

/// Category counts from generalised randomized response: one integer per category. Derivation: analyzer/math/grr.md
class GrrAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<GrrAggregate> open(const GrrSpec& spec);
  /// The same under another name: a vote keeps its sums under its own digest.
  static Result<GrrAggregate> open(const GrrSpec& spec, Stem stem, const Digest& name);

  /// Refuses  a report that is no category: false, and counted.
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

  /// Estimate  c_v = (n_v - n q)/(p - q), p = T/2^32, q = (1-p)/(c-1): unbiased, may be negative.
  /// Error     Var c_v = n q(1-q)/(p-q)^2 + c_v (1-p-q)/(p-q), c_v cut to [0, n].
  [[nodiscard]] CategoryCounts close() const;

  [[nodiscard]] const GrrSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  GrrAggregate(const GrrSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  GrrSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
