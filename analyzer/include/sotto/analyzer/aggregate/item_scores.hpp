// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Decodes the reports of the question top: how much support the words below a known prefix have, all of them at once,
/// and how often given words agree with the reports.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/report_set.hpp"
#include "sotto/spec/grr.hpp"

namespace sotto::analyzer {

/// A round of the question top, as far as its public coins and its channel go. The seed must outlive it.
struct ItemRound {
  const std::uint8_t* study_seed = nullptr;
  std::uint16_t number = 0;
  GrrSpec spec;

  /// b: a report is one of 2^b values of a linear hash.
  [[nodiscard]] std::uint32_t bits() const noexcept;
  /// How likely a report is the hash of the device's own word, and of any other.
  [[nodiscard]] double own() const noexcept;
  [[nodiscard]] double other() const noexcept;
};

/// The support of the 2^child_bits words below each prefix: S_w = sum over reports of 2^b [hash of w = report] - 1.
/// Estimate  S_w / (n 2^b (own - other)) is the share of devices with this word: unbiased.
/// Error     a word that nobody has gets S_w with mean 0 and variance n (2^b - 1), whatever the others have.
/// Calls `take` once for each prefix with the support of all words below it. One Walsh transform for each prefix;
/// memory 8 bytes for each prefix and word, and a fixed number of reports at a time.
void score_children(const ItemRound& round, std::span<const NamedNumber> reports,
                    std::span<const std::uint64_t> prefixes, std::uint32_t child_bits,
                    const std::function<void(std::size_t, std::span<const std::int64_t>)>& take);

/// How many reports are the hash of each word. For a word that nobody has this is binomial with n trials and odds 2^-b,
/// exactly: the difference to any other word has a uniform hash.
[[nodiscard]] std::vector<std::uint64_t> count_agreeing(const ItemRound& round, std::span<const NamedNumber> reports,
                                                        std::span<const std::uint64_t> words);

}  // namespace sotto::analyzer
