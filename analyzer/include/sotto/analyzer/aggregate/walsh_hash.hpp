// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates category counts from reports of Walsh hashing, a local-hashing frequency oracle: a public linear hash maps
/// the category to b bits, which are then randomized. Reports are absorbed into integer sums, which merge in any order
/// and save to bytes; close() turns them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/walsh_hash.hpp"

namespace sotto::analyzer {

/// A report with the pseudonym that its public coins were derived from.
struct CoinReport {
  std::uint64_t pseudonym = 0;
  std::uint32_t report = 0;
};

/// The Walsh spectrum of the counts: 2^L integers for categories below 2^L. A report adds +-1 at 2^b - 1 places; one
/// transform at the end gives all categories. Derivation: analyzer/math/walsh_hash.md
class WalshHashAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<WalshHashAggregate> open(const WalshHashSpec& spec);
  /// The same with another stem and digest: a vote stores its sums under the digest of the vote's own spec.
  static Result<WalshHashAggregate> open(const WalshHashSpec& spec, Stem stem, const Digest& name);

  /// Refuses  a report of 2^b or more: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Absorbs many reports of one study and round. Returns how many were used.
  std::uint64_t absorb(const std::uint8_t* study_seed, std::uint16_t round,
                       std::span<const CoinReport> reports) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const WalshHashAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<WalshHashAggregate> load(const WalshHashSpec& spec, std::span<const std::uint8_t> bytes);
  static Result<WalshHashAggregate> load(const WalshHashSpec& spec, Stem stem, const Digest& name,
                                         std::span<const std::uint8_t> bytes);

  /// Estimate  c_v = (Walsh transform of the sums)_v / (g (p - 1/g)), g = 2^b, with p = T/2^32 the probability of
  ///           reporting the true hash: unbiased; it may be negative.
  /// Error     Var c_v = n q(1-q)/(p-q)^2 + c_v (1-p-q)/(p-q), q = 1/g, with n reports and c_v clipped to [0, n].
  [[nodiscard]] CategoryCounts close() const;

  [[nodiscard]] const WalshHashSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  WalshHashAggregate(const WalshHashSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  [[nodiscard]] bool accepts(std::uint32_t report) noexcept;
  void add(const std::uint32_t* masks, std::uint32_t report) noexcept;

  WalshHashSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
