// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sotto.h"

// The device that is explored: the real library behind its C API, in one piece of memory that is copied away and back. Everything
// that the library points to stands still, so a copy put back is the same device at an earlier moment.
namespace sotto::model {

inline constexpr std::uint32_t k_sessions = 2, k_studies = 2, k_rounds = 2;
inline constexpr std::uint32_t k_sector_bytes = 1280, k_sectors = 2;

struct Memory {
  sotto_ledger ledger;
  std::uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(k_studies, 34) / 8];
  sotto_session session[k_sessions];
  std::uint64_t work[k_sessions][8];
  std::uint8_t flash[k_sectors * k_sector_bytes];
};
extern Memory memory;

/// Everything but the flash is lost.
void lose_power();

enum class Verb : std::uint8_t {
  create,
  open,
  close,
  enrol,
  open_session,
  close_session,
  prepare,
  send,
  acknowledge,
  consent,
  remove,
  reboot
};
struct Action {
  Verb verb;
  std::uint8_t session = 0, study = 0, round = 0;
  bool on = false;
};
[[nodiscard]] const char* name_of(Verb verb);
/// Every action, of every session, study and round.
[[nodiscard]] std::vector<Action> every_action();

/// Where the power goes during an action: at which write, erase or sync, counted from 0, and what is left of it.
enum class Left : std::uint8_t { nothing, half, everything };
struct Cut {
  std::uint32_t operation = 0xffffffffu;
  Left left = Left::nothing;
};

struct Outcome {
  sotto_status status = SOTTO_OK;
  std::uint32_t operations = 0;  ///< of the flash
  bool cut = false;
  std::uint8_t report[64] = {};
  std::size_t bytes = 0;  ///< of the report that left, if any
};
/// What the library says to one action on the device as it is.
[[nodiscard]] Outcome act(const Action& action, const sotto_policy& policy, const Cut& cut);

/// Other coins from now on: to find out which bytes of a session they decide.
void seed_entropy(std::uint32_t seed);

inline constexpr std::uint64_t k_price = 2'000'000'000;  // of an answer to either study
inline constexpr std::uint32_t k_answers[k_studies] = {1, 2};
/// Of a study that is as it was built: its number, by the name in the ledger.
[[nodiscard]] std::uint32_t study_of(const std::uint8_t digest[32]);

}  // namespace sotto::model
