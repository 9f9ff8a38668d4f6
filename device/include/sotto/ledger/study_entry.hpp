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

/// A study in the ledger's image: these bytes stand in flash as they are (shared/spec/LEDGER.md), and the report's follow them.
/// Others read it; only the ledger writes.
struct StudyEntry {
  Charge spent;
  std::uint64_t pseudonym = 0;
  std::uint16_t round = 0;  ///< the latest one; it means nothing while the state is none
  StudyState state = StudyState::none;
  std::uint8_t has_key = 0;
  std::uint16_t report_bytes = 0;  ///< of the report that was stored last
  Digest digest{};
  ReportKey key{};

  [[nodiscard]] std::uint8_t* report() noexcept { return key.data() + sizeof key; }
};
inline constexpr std::uint32_t k_entry_bytes = 94;  ///< before the report
static_assert(offsetof(StudyEntry, digest) == 30 && offsetof(StudyEntry, key) + sizeof(ReportKey) == k_entry_bytes);

/// An answer on its way through the ledger. It names its study by the full digest and holds no place in the ledger's memory:
/// every act finds the study again, so that a ledger which was opened anew, or lost a study, is never misread.
struct Answer {
  const Digest* digest = nullptr;  ///< of the study
  std::uint16_t round = 0;
  std::uint16_t answers = 0;  ///< that the study allows one device, all at this price
  Charge price;
  std::uint8_t* report = nullptr;  ///< the sealed bytes, or where they go
  std::size_t bytes = 0;           ///< of the report

  // What the ledger says.
  std::uint64_t pseudonym = 0;  ///< since find_study()
  bool has_key = false;         ///< since find_study(): the study was enrolled with a credential
  bool stored = false;          ///< may_charge() refused because the report of this very round is in the ledger
  ReportKey key{};              ///< since charge(): seals this report. Wiped by whoever asked for the charge.
};

}  // namespace sotto
