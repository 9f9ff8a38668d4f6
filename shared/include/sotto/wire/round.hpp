// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A round, with which a server asks a question: its limits and decoded form. The bytes are in shared/spec/WIRE.md.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/question_kind.hpp"
#include "sotto/wire/recipe.hpp"
#include "sotto/wire/signed_bytes.hpp"

namespace sotto {

inline constexpr std::size_t k_round_max_bytes = 1024;
inline constexpr std::size_t k_round_fixed_bytes = 88;  ///< bytes before the model
inline constexpr std::size_t k_model_bytes = 6, k_pair_bytes = 8, k_times_bytes = 16;
/// The largest model that a round has room for.
inline constexpr std::size_t k_round_model_max = (k_round_max_bytes - k_round_fixed_bytes) / k_model_bytes;
inline constexpr std::uint8_t k_every_cohort = 255;
inline constexpr std::uint32_t k_spec_fields = 4;

/// A decoded round. Spans and pointers refer to the encoded bytes, which must outlive it.
/// Small members are first: Cortex-M0 instructions reach a byte only near the beginning of an object.
struct Round {
  QuestionKind question{};
  std::uint16_t number = 0;  ///< 1 .. 65535
  std::uint8_t cohort = 0;   ///< the cohort that is asked; k_every_cohort: all
  Recipe recipe{};
  Stem stem{};                             ///< the randomizer
  std::uint8_t link = 0;                   ///< a LinkKind
  std::uint32_t spec[k_spec_fields] = {};  ///< the randomizer's integers except epsilon and delta (RANDOMIZERS.md)
  Parameters parameter;                    ///< parameters of the recipe
  std::uint32_t model_size = 0;            ///< entries of the broadcast model: an iterate, a centre or a selection
  std::uint32_t pair_count = 0;            ///< number of points of the link's table, or of ranges
  std::uint32_t has_times = 0;             ///< 1 if an opening and a closing time follow the pairs
  const std::uint8_t* model = nullptr;     ///< entries of feature u16 and value i32 (Q24), by rising feature
  const std::uint8_t* pairs = nullptr;     ///< pairs of i32
  SignedBytes bytes;
  Digest study{};
};

/// Decodes a round. Total, as decode_manifest(). Which numbers a question accepts is checked by the question.
/// Refuses  too_large, bad_magic, unsupported_version, truncated, trailing_bytes, bad_field.
Status decode_round(const std::span<const std::uint8_t>& bytes, Round& out) noexcept;

/// SHA-256 of the round's body, to which reports are bound.
[[nodiscard]] Digest round_digest(const Round& round) noexcept;

/// One coefficient of the broadcast model.
struct ModelEntry {
  std::uint16_t feature;
  std::int32_t value_q24;
};
[[nodiscard]] ModelEntry model_entry(const Round& round, std::uint32_t i) noexcept;

/// A range (low, high) or a point (value, slope) of a link table, both Q24.
struct NumberPair {
  std::int32_t first, second;
};
[[nodiscard]] NumberPair number_pair(const Round& round, std::uint32_t i) noexcept;

/// When a round may be answered: seconds since 1970-01-01 00:00 UTC, from `opens` to before `closes`. Zeros: at any time.
struct RoundTimes {
  std::uint64_t opens = 0, closes = 0;
};
/// The times of a decoded round; zeros if it has none.
/// Refuses  bad_field: it closes before it opens, or opens and closes at once. In a file of its own: decode_round() does
///          not look at the times, and a device without a clock does not link this.
Status round_times(const Round& round, RoundTimes& out) noexcept;
/// The moment at which a device that drew this slot sends.
[[nodiscard]] std::uint64_t send_time(const RoundTimes& times, std::uint32_t slot) noexcept;

}  // namespace sotto
