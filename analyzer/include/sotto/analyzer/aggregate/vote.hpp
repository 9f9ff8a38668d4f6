// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates which share of the devices voted for each feature. Protocols select variables by such votes. Reports are
/// absorbed into integer sums, which merge in any order and save to bytes; close() turns them into an estimate with its
/// error.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

/// The estimated shares of the devices that voted for each feature, and for none. Unbiased, so a share may be negative.
struct VoteShares {
  std::vector<double> share, standard_error;  ///< one per feature
  double none = 0, none_standard_error = 0;
  std::uint64_t used = 0, refused = 0;
};

/// The features with the largest estimated shares, largest first; the lower number first on ties.
[[nodiscard]] std::vector<std::uint32_t> strongest(const VoteShares& shares, std::size_t count);

/// The share below which a feature cannot be told from the largest of d pure-noise estimates: (sqrt(2 ln d) + 1.5)
/// standard errors.
[[nodiscard]] double detection_limit(const VoteShares& shares);

/// The sums of votes over features + 1 categories (the last is "none"), in the frequency oracle that the spec names:
/// GRR or Walsh hashing. Derivation: analyzer/math/vote.md
class VoteAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<VoteAggregate> open(const VoteSpec& spec);

  /// Refuses  a report outside the oracle's range: returns false and counts it as refused. Only Walsh hashing uses the
  ///          label.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Absorbs many reports of one study and round. Returns how many were used.
  std::uint64_t absorb(const std::uint8_t* study_seed, std::uint16_t round,
                       std::span<const CoinReport> reports) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const VoteAggregate& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  what open() and Sums::load() refuse.
  static Result<VoteAggregate> load(const VoteSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the oracle's estimated counts divided by the number of reports n.
  /// Error     the oracle's standard errors divided by n; without reports the shares are 0 with infinite errors.
  [[nodiscard]] VoteShares close() const;

  [[nodiscard]] const VoteSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept;

 private:
  using Oracle = std::variant<GrrAggregate, WalshHashAggregate>;
  VoteAggregate(const VoteSpec& spec, Oracle oracle) : spec_(spec), oracle_(std::move(oracle)) {}
  VoteSpec spec_;
  Oracle oracle_;
};

}  // namespace sotto::analyzer
