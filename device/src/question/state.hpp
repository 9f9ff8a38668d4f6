// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sotto/local/gradient.hpp"
#include "sotto/local/workspace.hpp"
#include "sotto/session/question.hpp"
#include "sotto/wire/report.hpp"

// What all questions share: the answer at the front of the work space, the model of a round, and numbers in payloads.
namespace sotto {

/// The bytes of the tag and of an answer of `count` numbers. What follows is aligned to 8.
template <class Number>
[[nodiscard]] constexpr std::size_t kept_bytes_of(std::size_t count) noexcept {
  return (sizeof(WorkTag) + count * sizeof(Number) + 7) / 8 * 8;
}

/// The answer, behind the tag: prepare() writes it, report() reads it.
template <class Number>
[[nodiscard]] std::span<Number> answer_of(const Asked& asked, std::size_t count) noexcept {
  static_assert(std::is_trivially_copyable_v<Number> && alignof(Number) <= sizeof(WorkTag));
  return {reinterpret_cast<Number*>(asked.work.data() + sizeof(WorkTag)), count};
}

template <class Number>
[[nodiscard]] Number& number_of(const Asked& asked) noexcept {
  return *answer_of<Number>(asked, 1).data();
}

/// Plans so many bytes behind what is kept.
inline void plan_scratch(Asked& asked, std::size_t bytes) noexcept {
  const std::size_t work_bytes = asked.plan.kept_bytes + bytes;
  if (asked.plan.work_bytes < work_bytes) asked.plan.work_bytes = work_bytes;
}

/// The work space behind what is kept.
[[nodiscard, gnu::noinline]] inline Workspace free_space(const Asked& asked) noexcept {
  return Workspace{asked.work.subspan(asked.plan.kept_bytes)};
}

/// The bytes of a payload that holds one of this many outcomes.
[[nodiscard]] inline std::size_t outcome_bytes(std::uint32_t outcomes) noexcept {
  std::size_t bytes = 0;  // a loop, because Cortex-M0 has no CLZ and the compiler's routine takes 60 bytes
  for (std::uint32_t largest = outcomes - 1; largest != 0; largest >>= 8) ++bytes;
  return bytes;
}

inline void write_number(std::uint32_t number, const std::span<std::uint8_t>& payload) noexcept {
  for (std::uint8_t& b : payload) {
    b = static_cast<std::uint8_t>(number);
    number >>= 8;
  }
}

/// Whether every feature of the round's model exists.
[[nodiscard]] bool model_fits(const Asked& asked) noexcept;

/// The bytes that copy_model() needs for a number of entries, and for those of the round.
[[nodiscard]] constexpr std::size_t model_bytes(std::size_t entries) noexcept {
  return entries * (sizeof(std::int32_t) + sizeof(std::uint16_t)) + 4;
}
[[nodiscard]] inline std::size_t model_bytes(const Round& round) noexcept { return model_bytes(round.model_size); }

/// Copies the round's model to arrays, because the bytes of a round are not aligned.
[[nodiscard]] SparseModel copy_model(const Round& round, Workspace& space) noexcept;

/// The residuals of the round's model, Q24; empty if the model is, and then the targets are used. What is left of the
/// space holds a column meanwhile: the weights of screening take as much.
[[nodiscard]] std::span<std::int32_t> take_residuals(const Samples& samples, const SparseModel& model,
                                                     Workspace& space) noexcept;

/// Whether the chosen columns of rows are copied before they are used: rows of a hook, or rows that the device centres.
[[nodiscard]] inline bool copies_rows(const Asked& asked) noexcept {
  return !asked.mapped || asked.manifest.units != RowUnits::stated;
}

/// At most the first nominal_rows rows: no device answers from more than the study's nominal number. Their number
/// itself stays private.
[[nodiscard]] Samples nominal_samples(const Asked& asked, const HeldRows& held) noexcept;

}  // namespace sotto
