// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The terms of a study as its TOML file states them, checked: collector, features, target and limits.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sotto/local/pick.hpp"
#include "sotto/reading_scale.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto::analyzer {

using CollectorId = std::array<std::uint8_t, 16>;

/// The Q15 reading itself: offset 0, scale 32768.
inline constexpr ReadingScale k_reading_is_q15{0, std::int32_t{1} << 29, 29};

/// A feature or the target as people know it. A reading of offset - scale .. offset + scale is full scale; what lies beyond is
/// clipped.
struct Quantity {
  std::string name, unit;
  double offset = 0, scale = 32768;
};

/// A study's tables [study], [[feature]] or [feature], and [target]: what a manifest carries beside the question.
struct StudyTerms {
  CollectorId collector{};                ///< given as 32 hexadecimal digits, or SHA-256 of a text, cut
  bool authenticated = true;              ///< reports are sealed with issued credentials
  std::uint32_t samples = 100;            ///< nominal m
  std::uint32_t answers = 1;              ///< rounds that one device may answer
  std::vector<std::uint16_t> weights{1};  ///< of the cohorts
  std::uint32_t minimum = 30;             ///< reports below which a round gives no estimate: not privacy, honesty
  std::uint32_t unit_q15 = 8192;          ///< one standard deviation of a scaled feature
  ReadingScale target = k_reading_is_q15;
  std::vector<ReadingScale> scales{k_reading_is_q15};  ///< one for all features, or one for each
  std::vector<std::string> names;                      ///< of [[feature]]
  std::vector<Quantity> quantities{{}};                ///< as `scales`: one for all features, or one for each
  Quantity target_quantity;
};

/// How a device finds its vote (device/include/sotto/question/vote.hpp).
struct VoteRecipe {
  Recipe recipe = Recipe::screen;
  std::uint8_t cohort = 0;  ///< that round 1 asks; k_every_cohort: all
  std::uint32_t keep = 0;   ///< columns that screening keeps, for Lasso and SCAD
  std::uint32_t lambda_q24 = 0;
  Pick pick = Pick::strongest;
  std::uint32_t visits = 0;
};

}  // namespace sotto::analyzer
