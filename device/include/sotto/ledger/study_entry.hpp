// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the ledger keeps of each study, the privacy loss of an answer, the caps, and the credential that a device was
/// issued. StudyEntry has the layout of an entry in flash (shared/spec/LEDGER.md).

#include <cstddef>
#include <cstdint>

#include "sotto/credential.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// A privacy loss: of one answer, or the sum of several by basic composition.
struct Charge {
  EpsilonNano epsilon = 0;
  DeltaUnits delta = 0;
  friend bool operator==(const Charge&, const Charge&) = default;
};

/// The caps on spending. There is no default: zeros refuse every charge. The guarantee is the total, because a manifest
/// with any byte changed is a new study; the cap of each study only distributes the total.
struct [[gnu::may_alias]] Policy {
  Charge per_study, total;
};

inline constexpr std::size_t k_report_max_bytes = 1024;

/// What a study is enrolled with.
struct Enrolment {
  std::uint64_t pseudonym = 0;
  const ReportKey* key = nullptr;  ///< none: a study without credentials, for which the device drew its pseudonym
};

/// The identity of one device in one study. It is stored in the ledger.
struct Credential {
  std::uint64_t pseudonym = 0;
  ReportKey key{};
  bool has_key = true;
  operator Enrolment() const noexcept { return {pseudonym, has_key ? &key : nullptr}; }
};

enum class StudyState : std::uint8_t {
  none = 0,          ///< no round answered yet
  charged = 1,       ///< the latest round was charged, and no report is stored
  stored = 2,        ///< the latest round's report is in the ledger
  acknowledged = 3,  ///< the server has the latest round's report
};

/// The entry of a study in the ledger's image. These bytes are in flash as they are (shared/spec/LEDGER.md); the bytes
/// of the report follow them. Only the ledger writes it.
struct StudyEntry {
  Charge spent;
  std::uint64_t pseudonym = 0;
  std::uint16_t round = 0;  ///< the latest round; meaningless if the state is none
  StudyState state = StudyState::none;
  std::uint8_t has_key = 0;
  std::uint16_t report_bytes = 0;  ///< size of the report that was stored last
  Digest digest{};
  ReportKey key{};

  [[nodiscard]] std::uint8_t* report() noexcept { return key.data() + sizeof key; }
};
inline constexpr std::uint32_t k_entry_bytes = 94;  ///< before the report
static_assert(offsetof(StudyEntry, digest) == 30 && offsetof(StudyEntry, key) + sizeof(ReportKey) == k_entry_bytes);

/// An answer on its way through the ledger. It names its study by the full digest and holds no pointer into the
/// ledger's memory: each call looks up the study again, because the ledger may have been opened again or the study
/// removed.
struct Answer {
  const Digest* digest = nullptr;  ///< digest of the study
  std::uint16_t round = 0;
  std::uint16_t answers = 0;  ///< how many answers the study allows one device, all at this price
  Charge price;
  std::uint8_t* report = nullptr;  ///< the sealed report, or the buffer for it
  std::size_t bytes = 0;           ///< size of the report
  std::uint32_t* key = nullptr;    ///< eight words for the key that seals it, or null; their owner wipes them

  // Set by the ledger. Flags are words, because Cortex-M0 cannot address a byte at these offsets in one instruction.
  std::uint64_t pseudonym = 0;  ///< set by find_study()
  std::uint32_t has_key = 0;    ///< set by find_study(): not 0 if the study was enrolled with a credential
  std::uint32_t stored = 0;     ///< 1: may_charge() refused because the report of this very round is in the ledger
};

}  // namespace sotto
