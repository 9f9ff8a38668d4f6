// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/choices.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "state.hpp"

// What the questions with a choice of randomizers keep between their steps: the certified spec of the round's stem, then the answer.
namespace sotto {

inline constexpr std::size_t k_front_bytes = 40;

template <class Spec>
[[nodiscard]] Certified<Spec>& certified_of(const Asked& asked) noexcept {
  static_assert(sizeof(Certified<Spec>) <= k_front_bytes && alignof(Certified<Spec>) <= 8);
  return *reinterpret_cast<Certified<Spec>*>(asked.work.data());
}

/// How a spec of a two-level stem is read from a round and judged: the same for all, but for two functions and two numbers.
struct FrontStem {
  Status (*check_parameters)(const void* spec) noexcept;
  TwoLevel (*channel)(const void* spec) noexcept;
  std::uint8_t fields;    ///< integers of the round that the spec has beside epsilon
  std::uint8_t valid_at;  ///< in a Certified of this spec
};
template <class Spec, std::uint8_t Fields>
inline constexpr FrontStem k_front_stem{
    [](const void* spec) noexcept { return check_parameters(*static_cast<const Spec*>(spec)); },
    [](const void* spec) noexcept { return channel(*static_cast<const Spec*>(spec)); }, Fields,
    CertifiedPlaces<Spec>::k_valid_at};

/// The round's spec of this stem, certified at the front of the work space like by certify().
/// Refuses  short_buffer; what certify() refuses.
[[nodiscard]] Status certify_front(const Asked& asked, const FrontStem& stem, TwoLevel& channel) noexcept;

/// The same for other stems.
template <class Spec>
[[nodiscard]] Status certify_front(const Asked& asked, const Spec& spec) noexcept {
  static_assert(sizeof(Certified<Spec>) <= k_front_bytes);
  if (asked.work.size() < k_front_bytes) return Status::short_buffer;
  return certify(spec, asked.cap, certified_of<Spec>(asked));
}

/// Front and an answer of so many numbers.
template <class Number>
[[nodiscard]] constexpr std::size_t kept_bytes_of(std::size_t count) noexcept {
  return k_front_bytes + (count * sizeof(Number) + 7) / 8 * 8;
}

template <class Number>
[[nodiscard]] std::span<Number> answer_of(const Asked& asked, std::size_t count) noexcept {
  return {reinterpret_cast<Number*>(asked.work.data() + k_front_bytes), count};
}

template <class Number>
[[nodiscard]] Number& number_of(const Asked& asked) noexcept {
  return *answer_of<Number>(asked, 1).data();
}

/// The work space behind so many bytes.
[[nodiscard]] inline std::span<std::byte> scratch_behind(const Asked& asked, std::size_t kept) noexcept {
  return asked.work.subspan(kept < asked.work.size() ? kept : asked.work.size());
}

/// Integers of the stem's spec from this one on mean nothing, and are zero.
[[nodiscard]] bool spec_ends(const Round& round, std::uint32_t used) noexcept;
/// Parameters whose bit is clear mean nothing, and are zero.
[[nodiscard]] bool only_parameters(const Round& round, std::uint32_t used) noexcept;
/// What most recipes do not take: a link and pairs.
[[nodiscard]] inline bool plain(const Round& round) noexcept { return round.link == 0 && round.pair_count == 0; }

[[nodiscard]] constexpr bool in_range(std::uint32_t v, std::uint32_t least, std::uint32_t most) noexcept {
  return v >= least && v <= most;
}

/// Which coordinates a vector has: 0, the model's features; 1, all of them.
inline constexpr std::uint32_t k_scope_all = 1;
[[nodiscard]] inline std::uint32_t scope_size(const Asked& asked, std::uint32_t scope) noexcept {
  return scope == k_scope_all ? asked.manifest.features : asked.round.model_size;
}
/// Feature of coordinate j.
[[nodiscard]] std::uint32_t scope_feature(const Asked& asked, std::uint32_t scope, std::uint32_t j) noexcept;

/// The record that public coins chose; one that the device does not hold is zeros. The target is column `features`.
struct ChosenRow {
  Samples samples;
  std::uint32_t row;

  ChosenRow(const Asked& asked, const LocalData& local) noexcept;

  [[nodiscard]] bool held() const noexcept { return row < samples.rows; }
  [[nodiscard]] Q15 column(std::uint32_t j) const noexcept;
  [[nodiscard]] Q15 target() const noexcept { return column(samples.features); }
};

/// The target clipped to [-bound, bound] and laid on [-steps, steps], to nearest; bound 1..32768, steps at most 32768.
[[nodiscard]] std::int32_t scaled_target(Q15 target, std::uint32_t bound_q15, std::uint32_t steps) noexcept;

}  // namespace sotto
