// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "device.hpp"

#include <cstring>

#include "study_kit.hpp"

namespace sotto::model {

Memory memory;

namespace {

// -- Flash --------------------------------------------------------------------------------------------------------------

Cut planned;
std::uint32_t operations;
bool dead;

/// Counts a write, erase or sync; says how much of it is done, and whether the power is still there.
bool proceeds(Left& left) {
  left = Left::everything;
  if (dead) return false;
  if (operations++ != planned.operation) return true;
  left = planned.left;
  dead = true;
  return true;
}
std::uint32_t part_of(std::uint32_t bytes, Left left) {
  return left == Left::nothing ? 0 : left == Left::half ? bytes / 2 : bytes;
}

bool flash_read(void*, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) {
  if (dead) return false;
  std::memcpy(out, memory.flash + address, bytes);
  return true;
}
bool flash_program(void*, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) {
  Left left;
  if (!proceeds(left)) return false;
  std::memcpy(memory.flash + address, data, part_of(bytes, left));
  return !dead;
}
bool flash_erase(void*, std::uint32_t sector) {
  Left left;
  if (!proceeds(left)) return false;
  std::memset(memory.flash + sector * k_sector_bytes, 0xff, part_of(k_sector_bytes, left));
  return !dead;
}
bool flash_sync(void*) {
  Left left;
  return proceeds(left) && !dead;
}
const sotto_flash k_flash = {nullptr,   flash_read, flash_program, flash_erase, flash_sync, k_sector_bytes,
                             k_sectors, 4,          0xff};

// -- Entropy: the same for every action, so that coins differ only where the ledger's secret does ------------------------------

std::uint32_t seed = 1, random_state;
bool entropy_ready(void*) { return true; }
bool entropy_read(void*, std::uint8_t* out, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    random_state = random_state * 1664525u + 1013904223u;
    out[i] = static_cast<std::uint8_t>(random_state >> 24);
  }
  return true;
}

// -- Two studies: one answer with sealed reports, two answers with plain ones ---------------------------------------------------

struct Studies {
  VoteStudy kit[k_studies] = {VoteStudy{8, true, k_answers[0]}, VoteStudy{8, false, k_answers[1]}};
  std::vector<std::uint8_t> manifest[k_studies], round[k_studies][k_rounds];
  Studies() {
    for (std::uint32_t k = 0; k < k_studies; ++k) {
      manifest[k].assign(kit[k].manifest_bytes().begin(), kit[k].manifest_bytes().end());
      for (std::uint32_t r = 0; r < k_rounds; ++r) {
        kit[k].round.number = static_cast<std::uint16_t>(r + 1);
        const auto bytes = kit[k].round_bytes();
        round[k][r].assign(bytes.begin(), bytes.end());
      }
    }
  }
};
Studies& studies() {
  static Studies all;
  return all;
}

const sotto_ledger_memory k_ledger_memory = {memory.words, sizeof memory.words, 34};
const sotto_local k_local = {.samples = {}, .given = sotto_choose(3), .numbers = {}, .item_bytes = 0, .item = nullptr};

const sotto_hooks& hooks() {
  static const sotto_question* const questions[] = {sotto_vote_given()};
  static const sotto_hooks all = {
      {nullptr, entropy_ready, entropy_read}, questions, 1, nullptr, nullptr, nullptr, nullptr, nullptr, false};
  return all;
}

sotto_status run(const Action& a, const sotto_policy& policy, Outcome& outcome) {
  const Studies& all = studies();
  const std::vector<std::uint8_t>& manifest = all.manifest[a.study];
  sotto_session& session = memory.session[a.session];
  switch (a.verb) {
    case Verb::create:
      return sotto_ledger_create(&memory.ledger, &k_ledger_memory, &k_flash, nullptr, &policy, &hooks().entropy);
    case Verb::open: return sotto_ledger_open(&memory.ledger, &k_ledger_memory, &k_flash, nullptr);
    case Verb::close: sotto_ledger_close(&memory.ledger); return SOTTO_OK;
    case Verb::enrol: {
      sotto_credential credential = {100u + a.study, {1, 2, 3}};
      return sotto_enrol(&memory.ledger, manifest.data(), manifest.size(), &credential, &hooks());
    }
    case Verb::open_session:
      return sotto_session_open(&session, manifest.data(), manifest.size(), &memory.ledger, &hooks());
    case Verb::close_session: sotto_session_close(&session); return SOTTO_OK;
    case Verb::prepare: {
      const std::vector<std::uint8_t>& round = all.round[a.study][a.round - 1u];
      return sotto_prepare(&session, round.data(), round.size(), &k_local, memory.work[a.session],
                           sizeof memory.work[0]);
    }
    case Verb::send: return sotto_send(&session, outcome.report, sizeof outcome.report, &outcome.bytes);
    case Verb::acknowledge: return sotto_acknowledge(&session, a.round);
    case Verb::consent: return sotto_ledger_set_consent(&memory.ledger, a.on);
    case Verb::remove: return sotto_ledger_remove(&memory.ledger, manifest.data(), manifest.size());
    case Verb::reboot: lose_power(); return SOTTO_OK;
  }
  return SOTTO_OK;
}

}  // namespace

void lose_power() {
  // Sessions and ledgers are zeros before their first use.
  std::memset(&memory, 0, offsetof(Memory, flash));
}

void seed_entropy(std::uint32_t other) { seed = other; }

Outcome act(const Action& action, const sotto_policy& policy, const Cut& cut) {
  Outcome outcome;
  planned = cut;
  operations = 0;
  dead = false;
  random_state = seed;
  outcome.status = run(action, policy, outcome);
  outcome.operations = operations;
  outcome.cut = dead;
  dead = false;
  if (outcome.cut) lose_power();
  return outcome;
}

std::uint32_t study_of(const std::uint8_t digest[32]) {
  std::uint32_t k = 0;
  while (k < k_studies && std::memcmp(digest, studies().kit[k].digest.data(), 32) != 0) ++k;
  return k;
}

const char* name_of(Verb verb) {
  constexpr const char* k_names[] = {"create",  "open", "close",       "enrol",   "open_session", "close_session",
                                     "prepare", "send", "acknowledge", "consent", "remove",       "reboot"};
  return k_names[static_cast<std::size_t>(verb)];
}

std::vector<Action> every_action() {
  std::vector<Action> all = {{Verb::create},           {Verb::open},  {Verb::close}, {Verb::consent, 0, 0, 0, true},
                             {Verb::consent, 0, 0, 0}, {Verb::reboot}};
  for (std::uint8_t study = 0; study < k_studies; ++study) {
    all.push_back({Verb::enrol, 0, study});
    all.push_back({Verb::remove, 0, study});
  }
  for (std::uint8_t session = 0; session < k_sessions; ++session) {
    all.push_back({Verb::close_session, session});
    all.push_back({Verb::send, session});
    for (std::uint8_t study = 0; study < k_studies; ++study) {
      all.push_back({Verb::open_session, session, study});
      for (std::uint8_t round = 1; round <= k_rounds; ++round) all.push_back({Verb::prepare, session, study, round});
    }
    for (std::uint8_t round = 1; round <= k_rounds; ++round) all.push_back({Verb::acknowledge, session, 0, round});
  }
  return all;
}

}  // namespace sotto::model
