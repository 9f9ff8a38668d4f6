// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The aggregate of one round's reports, for any kind of question: integer sums that merge in any order and are stored.

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/aggregate/coordinate_aggregate.hpp"
#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/aggregate/gaussian_moments.hpp"
#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/hemisphere.hpp"
#include "sotto/analyzer/aggregate/report_set.hpp"
#include "sotto/analyzer/aggregate/sphere_code.hpp"
#include "sotto/analyzer/aggregate/vector_set.hpp"
#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/analyzer/aggregate/window.hpp"
#include "sotto/analyzer/ingest/duplicate_index.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// What the analyzer keeps of one round's reports: integer sums, or the reports themselves for labels. Reports may
/// arrive in any order. Each thread may absorb into a part of its own; parts merged in any order give the same bits.
class RoundAggregate {
 public:
  /// The manifest's bytes must outlive this object, because public coins are derived from its seed.
  /// Refuses  what round_spec() refuses; protocol.no_aggregate: a question whose reports cannot be aggregated.
  static Result<RoundAggregate> open(const Manifest& manifest, const Round& round);

  /// Adds one report, as a number. Returns false if it is outside the channel's outcomes.
  bool absorb(std::uint64_t pseudonym, std::uint32_t number);
  /// The same for a report with one or several numbers.
  bool absorb(const Reading& reading);
  /// Refuses  sums of another round or spec.
  Result<Done> merge(const RoundAggregate& other);
  [[nodiscard]] std::vector<std::uint8_t> save() const;
  /// Refuses  what open() and Sums::load() refuse.
  static Result<RoundAggregate> load(const Manifest& manifest, const Round& round, std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t used() const;
  /// Only for a vote.
  [[nodiscard]] VoteShares votes() const;
  /// For a direction: the mean of the lifted answers. For a block: the mean signs of its coordinates.
  [[nodiscard]] VectorMean direction() const;
  /// For a bin or value round: the aggregate of each rotated coordinate.
  [[nodiscard]] const CoordinateAggregate& coordinates() const { return std::get<CoordinateAggregate>(sums_); }
  /// For a bin round that asks for cells, and a number round that asks for bins or cells: how many devices are in each category.
  [[nodiscard]] CategoryCounts categories() const;
  /// For a number round that asks for a place in a range: the histogram of the outcomes.
  [[nodiscard]] const WindowAggregate& window() const { return std::get<WindowAggregate>(sums_); }
  /// For vectors with additive noise: a sketch, or one copy of a record.
  [[nodiscard]] const GaussianMoments& moments() const { return std::get<GaussianMoments>(sums_); }
  /// For several copies of a record.
  [[nodiscard]] const VectorSet& vectors() const { return std::get<VectorSet>(sums_); }
  /// For a label or top round: each report with its pseudonym.
  [[nodiscard]] const ReportSet& reports() const { return std::get<ReportSet>(sums_); }

 private:
  using Sums = std::variant<VoteAggregate, CrossPolytopeAggregate, SphereCodeAggregate, HemisphereAggregate,
                            CoordinateAggregate, ReportSet, GrrAggregate, WalshHashAggregate, GaussianMoments,
                            VectorSet, BlockAggregate, WindowAggregate>;
  RoundAggregate(const Manifest& manifest, const Round& round, Sums sums)
      : seed_(manifest.seed), round_(round.number), sums_(std::move(sums)) {}

  const std::uint8_t* seed_;
  std::uint16_t round_;
  Sums sums_;
};

}  // namespace sotto::analyzer
