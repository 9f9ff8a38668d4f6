// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sotto::analyzer {

/// What became of a report. Bad ones are counted by reason, never averaged in. The names are part of results: append
/// only.
enum class Reason : std::uint8_t {
  accepted,
  malformed,            ///< no report, or no payload of the round's size; the status says why
  unsupported_version,  ///< of another format version
  foreign_study,        ///< to another manifest
  early,                ///< to a round that is not open yet
  late,                 ///< to a round that was closed
  forged,               ///< the tag is wrong: a byte, the key, the manifest or the round is another; or there is no tag
  wrong_question,       ///< answers another question than its round asks
  wrong_cohort,         ///< from a pseudonym that its round does not ask
  bad_payload,          ///< a number that the randomizer cannot give
  duplicate,            ///< the same bytes again
  conflict,             ///< one pseudonym, different bytes: none of them is used
};
inline constexpr std::size_t k_reasons = 12;

[[nodiscard]] std::string_view reason_name(Reason reason) noexcept;

/// How many reports met each fate. All orders of the same reports give the same counts.
struct ReasonCounts {
  std::array<std::uint64_t, k_reasons> of{};

  [[nodiscard]] std::uint64_t operator[](Reason reason) const noexcept { return of[static_cast<std::size_t>(reason)]; }
  [[nodiscard]] std::uint64_t total() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : of) sum += n;
    return sum;
  }
  friend bool operator==(const ReasonCounts&, const ReasonCounts&) = default;
};

}  // namespace sotto::analyzer
