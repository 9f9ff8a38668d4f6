// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

/// Which share of the devices voted for each feature, and which for none. Unbiased, so a share may be negative.
struct VoteShares {
  std::vector<double> share, standard_error;  ///< one per feature
  double none = 0, none_standard_error = 0;
  std::uint64_t used = 0, refused = 0;
};

/// Votes through whichever oracle the spec names, over features + 1 categories. Derivation: analyzer/math/vote.md
class VoteAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<VoteAggregate> open(const VoteSpec& spec);

  /// Refuses  a report outside the oracle's range: false, and counted. The label serves the hash only.
  bool absorb(const CoinLabel& label, std::uint32_t report) noexcept;
  /// Many reports of one study and round. Returns how many were used.
  std::uint64_t absorb(const std::uint8_t* study_seed, std::uint16_t round,
                       std::span<const CoinReport> reports) noexcept;
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const VoteAggregate& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  what open() and Sums::load() refuse.
  static Result<VoteAggregate> load(const VoteSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the oracle's counts over n.
  /// Error     the oracle's errors over n; with no report, shares of 0 with infinite errors.
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
