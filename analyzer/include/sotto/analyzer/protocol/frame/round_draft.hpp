// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A round in a protocol's own terms, and its conversion to the bytes that devices read.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// A feature with a value that a round broadcasts: a coefficient of the centre or the iterate, or 0 if the round only
/// selects the feature.
struct Entry {
  std::uint32_t feature = 0;
  double value = 0;
};
using Entries = std::vector<Entry>;

/// A round in a protocol's own terms; write_round() makes the bytes that devices read.
struct RoundDraft {
  QuestionKind question = QuestionKind::vote;
  Recipe recipe = Recipe::screen;
  std::uint16_t number = 1;
  std::uint8_t cohort = 0;
  AnySpec spec;
  Parameters parameter = {};
  Entries model;  ///< features in ascending order
  std::vector<NumberPair> pairs = {};
  std::uint8_t link = 0;  ///< a LinkKind; `pairs` are the points of its table
};

/// Converts to Q24, the format of rounds: rounded to nearest, saturating.
[[nodiscard]] std::int32_t to_q24(double value) noexcept;
[[nodiscard]] double from_q24(std::int32_t value) noexcept;

/// Writes the bytes of a round and decodes them once, so that no round is sent that a device would refuse. Values in
/// `draft` are rounded to Q24, so that the protocol computes with what devices see.
/// Refuses  wire.*; protocol.large_round: more entries than fit into a round.
[[nodiscard]] Result<std::vector<std::uint8_t>> write_round(RoundDraft& draft, const Digest& study,
                                                            const RoundTimes& times = {});

}  // namespace sotto::analyzer
