// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "device.hpp"

// What everybody outside can know of the device: what left it, what its owner decided, what the library promised. A few numbers,
// kept apart from the library, and the promises that must hold between the two.
namespace sotto::model {

enum class Known : std::uint8_t { no, yes, either };  ///< either: the power went while it was written

struct Reference {
  Known created = Known::no;
  Known consent = Known::no;
  Known removed[k_studies] = {};
  /// What left for a round; 0 bytes: nothing yet.
  struct Left {
    std::uint8_t bytes = 0;
    std::uint8_t report[40] = {};
  } left[k_studies][k_rounds];
  bool open = false;            ///< the ledger, as its last call said
  bool fresh[k_sessions] = {};  ///< the session was opened since the ledger was
  std::uint8_t study[k_sessions] = {};
  std::uint8_t prepared[k_sessions] = {};  ///< the round, or 0

  [[nodiscard]] std::uint32_t answers(std::uint32_t of) const;
  [[nodiscard]] std::uint64_t spent() const;
};

/// The promises. Each has a mutant of the library that breaks it.
enum class Promise : std::uint8_t {
  kept,
  recorded,   ///< recorded spend >= what left the device
  one_draw,   ///< one set of bytes for a study and a round
  consented,  ///< nothing is charged or sent without consent
  capped,     ///< neither caps nor answers are exceeded, on record or outside
  refusal,    ///< a refused call changes nothing
  stale,      ///< a session does not outlive the opening of its ledger
  once,       ///< a ledger is not created anew, a removed study not enrolled again
};
[[nodiscard]] const char* name_of(Promise promise);

/// Brings the reference up to date, and says which promise the action broke.
[[nodiscard]] Promise judge(Reference& reference, const Action& action, const Outcome& outcome, const Memory& before,
                            const sotto_policy& policy);
/// Whatever state the device is in: what would the next boot find? Leaves the device as it is.
[[nodiscard]] Promise judge_boot(const Reference& reference, const sotto_policy& policy);

}  // namespace sotto::model
