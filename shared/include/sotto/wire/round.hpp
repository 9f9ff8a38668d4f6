// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The bytes of a round, with which a server asks a question: limits, and the decoded form.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/question_kind.hpp"
#include "sotto/wire/recipe.hpp"

namespace sotto {

inline constexpr std::size_t k_round_max_bytes = 1024;
inline constexpr std::size_t k_round_fixed_bytes = 88;  ///< before the model
inline constexpr std::size_t k_model_bytes = 6, k_pair_bytes = 8;
/// The largest model that a round has room for.
inline constexpr std::size_t k_round_model_max = (k_round_max_bytes - k_round_fixed_bytes) / k_model_bytes;
inline constexpr std::uint8_t k_every_cohort = 255;
inline constexpr std::uint32_t k_spec_fields = 4;

/// One broadcast of a study (shared/spec/WIRE.md), decoded in place: the bytes must outlive this.
struct Round {
  std::span<const std::uint8_t> body;
  std::span<const std::uint8_t> signature;
  QuestionKind question{};
  std::uint16_t number = 0;  ///< 1 .. 65535
  std::uint8_t cohort = 0;   ///< who is asked; k_every_cohort: all
  Recipe recipe{};
  Stem stem{};            ///< of the randomizer
  std::uint8_t link = 0;  ///< a LinkKind
  std::uint32_t spec[k_spec_fields] =
      {};                ///< the randomizer's integers without epsilon and delta, in the order of RANDOMIZERS.md
  Parameters parameter;  ///< of the recipe
  std::uint32_t model_size = 0;         ///< features with a value: the broadcast iterate, centre or selection
  std::uint32_t pair_count = 0;         ///< points of the link's table, or ranges
  const std::uint8_t* model = nullptr;  ///< feature u16, value i32 (Q24), features rising
  const std::uint8_t* pairs = nullptr;  ///< i32, i32
  Digest study{};
};

/// Total, like decode_manifest(). Which numbers a question accepts is for the question to say.
/// Refuses  too_large, bad_magic, unsupported_version, truncated, trailing_bytes, bad_field.
Status decode_round(const std::span<const std::uint8_t>& bytes, Round& out) noexcept;

[[nodiscard]] Digest round_digest(const Round& round) noexcept;

struct ModelEntry {
  std::uint16_t feature;
  std::int32_t value_q24;
};
[[nodiscard]] ModelEntry model_entry(const Round& round, std::uint32_t i) noexcept;

struct NumberPair {
  std::int32_t first, second;
};
[[nodiscard]] NumberPair number_pair(const Round& round, std::uint32_t i) noexcept;

}  // namespace sotto
