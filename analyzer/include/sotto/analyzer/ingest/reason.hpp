// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The reasons for which reports are accepted or refused, and how many reports had each. Results and pages list these
/// counts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sotto::analyzer {

/// The outcome of a report. Refused reports are counted by reason and never enter an estimate. The names are part of
/// published results: append only.
enum class Reason : std::uint8_t {
  accepted,
  malformed,            ///< not a report, or a payload of the wrong size; the status says why
  unsupported_version,  ///< another format version
  foreign_study,        ///< answers another manifest
  early,                ///< answers a round that is not open yet
  late,                 ///< answers a round that is closed
  forged,               ///< wrong or missing tag: a byte, the key, the manifest or the round differs
  wrong_question,       ///< answers another question than its round asks
  wrong_cohort,         ///< from a pseudonym outside the cohort of its round
  bad_payload,          ///< a number that the randomizer cannot produce
  duplicate,            ///< the same bytes again
  conflict,             ///< different bytes of one pseudonym: none of them is used
};
inline constexpr std::size_t k_reasons = 12;

[[nodiscard]] std::string_view reason_name(Reason reason) noexcept;

/// The number of reports by reason. The counts do not depend on the order of the reports.
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
