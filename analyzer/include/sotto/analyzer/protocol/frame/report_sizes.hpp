// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The mean size of the reports of a run, and the largest epsilon that its randomizers deliver.

#include <cstdint>
#include <span>

#include "sotto/analyzer/result.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Sums over the rounds of a run, of the reports that were used.
class ReportSizes {
 public:
  /// Adds a round; all its reports have the same size.
  /// Refuses  what read_round() and round_spec() refuse.
  Result<Done> add(const Manifest& manifest, std::span<const std::uint8_t> round, std::uint64_t used);
  /// In bytes; 0 if there was no report.
  [[nodiscard]] double mean() const noexcept { return reports_ > 0 ? bytes_ / reports_ : 0; }
  /// The largest epsilon that a round's randomizer delivers, in nats.
  [[nodiscard]] double delivered() const noexcept { return delivered_; }

 private:
  double reports_ = 0, bytes_ = 0, delivered_ = 0;
};

}  // namespace sotto::analyzer
