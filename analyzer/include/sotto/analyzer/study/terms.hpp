// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The terms of a study as its TOML file states them, checked: collector, features, target, limits, and how a device
/// finds its vote.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/math/target_kind.hpp"
#include "sotto/analyzer/study/columns.hpp"
#include "sotto/analyzer/study/round_schedule.hpp"
#include "sotto/local/pick.hpp"
#include "sotto/reading_scale.hpp"
#include "sotto/row_units.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto::analyzer {

using CollectorId = std::array<std::uint8_t, 16>;
/// The SHA-256 of a public key that signs tickets of enrolment (crypto/ticket.hpp).
using TicketFingerprint = std::array<std::uint8_t, 32>;

/// A reading that is Q15 already: offset 0, scale 32768.
inline constexpr ReadingScale k_reading_is_q15{0, std::int32_t{1} << 29, 29};

/// A feature or the target in its physical unit. Readings from offset - scale to offset + scale use the full range of
/// Q15; readings beyond it are clipped.
struct Quantity {
  std::string name, unit;
  double offset = 0, scale = 32768;
  bool is_stated = false;  ///< the file gives both
};

/// The tables [study], [[feature]] or [feature], and [target] of a study: what a manifest states besides the question.
struct StudyTerms {
  CollectorId collector{};    ///< 32 hexadecimal digits, or the beginning of the SHA-256 of a text
  bool authenticated = true;  ///< reports are sealed with issued credentials
  /// Devices enrol with a ticket that another party signed: who collects does not know them. Nothing: with tokens or by
  /// file.
  std::optional<TicketFingerprint> tickets;
  std::uint32_t samples = 100;            ///< m, the nominal number of rows of a device
  std::uint32_t answers = 1;              ///< how many rounds one device may answer
  std::vector<std::uint16_t> weights{1};  ///< of the cohorts
  std::uint32_t minimum = 30;             ///< least number of reports for an estimate; this is about error, not privacy
  std::uint32_t unit_q15 = 8192;          ///< one standard deviation of a scaled feature
  ReadingScale target = k_reading_is_q15;
  std::vector<ReadingScale> scales{k_reading_is_q15};  ///< one for all features, or one for each
  std::vector<std::string> names;                      ///< from [[feature]]
  std::vector<Quantity> quantities{{}};                ///< as `scales`: one for all features, or one for each
  Quantity target_quantity;
  TargetKind target_kind = TargetKind::number;
  std::vector<StudyColumn> levels;      ///< columns of words and their levels, from [levels]
  std::vector<std::string> missing;     ///< columns whose being missing is a feature
  RoundSchedule rounds;                 ///< from [rounds]; without it rounds have no times
  std::optional<RowUnits> asked_units;  ///< what the file says of units and centre; nothing: the protocol's choice
  RowUnits units = RowUnits::stated;    ///< who centres and scales a device's rows

  /// The first feature or target whose offset and scale the file leaves out; nothing: it gives them all.
  [[nodiscard]] std::optional<std::string> first_unstated() const;
};

/// How a device finds its vote (device/include/sotto/question/vote.hpp).
struct VoteRecipe {
  Recipe recipe = Recipe::screen;
  std::uint8_t cohort = 0;  ///< the cohort that round 1 asks; k_every_cohort: all devices
  std::uint32_t keep = 0;   ///< columns that screening keeps for Lasso and SCAD
  std::uint32_t lambda_q24 = 0;
  Pick pick = Pick::strongest;
  std::uint32_t visits = 0;
};

}  // namespace sotto::analyzer
