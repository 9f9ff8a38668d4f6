// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// A feature and a value that a round broadcasts: centre, iterate, or 0 for a mere selection.
struct Entry {
  std::uint32_t feature = 0;
  double value = 0;
};
using Entries = std::vector<Entry>;

/// A round as a protocol thinks of it; write_round() makes the bytes that devices read.
struct RoundDraft {
  QuestionKind question = QuestionKind::vote;
  Recipe recipe = Recipe::screen;
  std::uint16_t number = 1;
  std::uint8_t cohort = 0;
  AnySpec spec;
  Parameters parameter = {};
  Entries model;  ///< features in rising order
  std::vector<NumberPair> pairs = {};
  std::uint8_t link = 0;  ///< a LinkKind; `pairs` are the points of its table
};

/// A number as the Q24 that travels, to nearest, saturating.
[[nodiscard]] std::int32_t to_q24(double value) noexcept;
[[nodiscard]] double from_q24(std::int32_t value) noexcept;

/// What comes out is decoded once, so that nothing leaves that a device would refuse; values are rounded to Q24 in `draft`, so
/// that the protocol counts with what devices see.
/// Refuses  wire.*; protocol.large_round: more entries than a round has room for.
[[nodiscard]] Result<std::vector<std::uint8_t>> write_round(RoundDraft& draft, const Digest& study);

}  // namespace sotto::analyzer
