// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Keeps the reports of a round with their pseudonyms: a label is only of use next to its row of features, and the hash
/// of an item next to the masks of its device.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// A report with its pseudonym.
struct NamedNumber {
  std::uint64_t pseudonym = 0;
  std::uint32_t number = 0;
  friend auto operator<=>(const NamedNumber&, const NamedNumber&) = default;  // NOLINT(modernize-use-nullptr)
};

/// The reports of a round whose reports cannot be summed. It takes 16 bytes of memory for each report. Parts may be
/// merged in any order and give the same saved bytes.
///
/// Bytes of save(), little-endian: version 1 (1), digest of the spec (32), refused (8), reports (8), then pseudonym (8)
/// and number (4) of each report by ascending pseudonym, SHA-256 of all bytes before it (32).
class ReportSet {
 public:
  /// Refuses  protocol.no_aggregate: a randomizer that neither labels nor items use.
  static Result<ReportSet> open(const AnySpec& spec);

  /// Refuses  a number outside the randomizer's outcomes: returns false and counts it as refused.
  bool absorb(const CoinLabel& label, std::uint32_t number);
  /// Refuses  aggregate.other_spec.
  Result<Done> merge(const ReportSet& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  what open() refuses; aggregate.truncated, .bad_version, .other_spec, .altered, .implausible (a number
  ///          that is not an outcome, or pseudonyms that do not ascend).
  static Result<ReportSet> load(const AnySpec& spec, std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t used() const noexcept { return reports_.size(); }
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  /// All reports by ascending pseudonym. A pseudonym with two different numbers is left out, as the Collector leaves it
  /// out.
  [[nodiscard]] std::vector<NamedNumber> sorted() const;

 private:
  ReportSet(const Digest& spec, std::uint32_t outcomes) : spec_(spec), outcomes_(outcomes) {}

  Digest spec_;
  std::uint32_t outcomes_;
  std::uint64_t refused_ = 0;
  std::vector<NamedNumber> reports_;
};

}  // namespace sotto::analyzer
