// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/credential.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// What one answer costs, and what was spent: basic composition adds both.
struct Charge {
  EpsilonNano epsilon = 0;
  DeltaUnits delta = 0;
  friend bool operator==(const Charge&, const Charge&) = default;
};

/// The largest spend. There is no default: zeros refuse every charge. The total is the guarantee, because any changed byte of
/// a manifest is a new study; the cap per study only spreads it.
struct Policy {
  Charge per_study, total;
};

inline constexpr std::size_t k_report_max_bytes = 1024;
/// No study has this number: a ledger holds 255 at most.
inline constexpr std::uint8_t k_no_study = 0xff;

/// Issued for one device and one study; lives in the ledger and dies with it.
struct Credential {
  std::uint64_t pseudonym = 0;
  ReportKey key{};
  bool has_key = true;  ///< false: a study without credentials, whose pseudonym the device drew itself
};

enum class StudyState : std::uint8_t {
  none = 0,          ///< never asked
  charged = 1,       ///< the latest round was paid for, and nothing was stored
  stored = 2,        ///< the latest round's report is in the ledger
  acknowledged = 3,  ///< the latest round's report arrived
};

/// What the ledger says about a study. These 32 bytes stand in its record as they are (shared/spec/LEDGER.md).
struct StudyFacts {
  Charge spent;
  std::uint64_t pseudonym = 0;
  std::uint16_t round = 0;  ///< the latest one; it means nothing while the state is none
  StudyState state = StudyState::none;
  std::uint8_t has_credential = 0;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(StudyFacts) == 32);

/// A study as Ledger::study() found it, so that answering need not search again. The ledger notices when it changed since,
/// through this entry, another or a compaction, and reads anew. An entry belongs to the ledger that filled it.
struct StudyEntry {
  StudyFacts facts;
  std::uint32_t generation = 0, log_end = 0;   ///< of the ledger when this was read
  std::uint32_t record_at = 0, report_at = 0;  ///< addresses in flash
  std::uint32_t report_bytes = 0;
  std::uint32_t index = k_no_study;
};

}  // namespace sotto
