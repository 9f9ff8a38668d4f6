// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A whole session on a flash whose power goes at every write: real reports, fresh entropy after every boot. Whatever left the
// device for a round is always the same bytes, and every byte that left was paid for.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <vector>

#include "flash_simulator.hpp"
#include "ledger_kit.hpp"
#include "seeded_entropy.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"
#include "study_kit.hpp"

namespace sotto {
namespace {

constexpr std::uint16_t k_rounds = 4;
constexpr FlashGeometry k_geometry{1280, 2, 8, 0xff};
const Question* const k_questions[] = {&k_vote_given};

class Device {
 public:
  explicit Device(std::uint64_t seed) : simulator(k_geometry, seed), seed_(seed), study_(8, true, k_rounds) {}

  FlashSimulator<2560> simulator;
  std::map<std::uint16_t, std::vector<std::uint8_t>> sent;
  std::uint32_t lost = 0;

  /// Boots and answers what is not answered yet; false when the power went.
  bool live() {
    simulator.power_on();
    if (cut_ != FlashSimulator<2560>::k_never) simulator.cut_at(cut_, tear_);
    cut_ = FlashSimulator<2560>::k_never;
    SeededEntropy entropy{++seed_ * 7919};  // other coins in every life
    const Flash flash = simulator.flash();
    const SessionHooks hooks{entropy.source(), k_questions, {}, {}};
    const LedgerHooks ledger_hooks;
    RoomyLedger<> ledger;
    Status status = ledger.open(flash, ledger_hooks);
    if (status != Status::ok) {
      constexpr Policy k_policy{{8 * k_epsilon_one, 0}, {8 * k_epsilon_one, 0}};
      status = ledger.create(flash, ledger_hooks, k_policy, birth_entropy());
    }
    if (status == Status::ok) status = ledger.set_consent(true);
    StudyEntry* entry = nullptr;
    if (status == Status::ok && find_study(ledger, study_.digest, entry) == Status::unknown_study)
      status = ledger.enrol(study_.digest, study_.credential);
    for (std::uint16_t round = 1; status == Status::ok && round <= k_rounds; ++round)
      status = answer(ledger, hooks, round);
    if (simulator.is_dead()) return false;
    EXPECT_EQ(status, Status::ok);
    EXPECT_GE(ledger.total_spent().epsilon, sent.size() * study_.manifest.epsilon) << "sent without being paid for";
    EXPECT_EQ(simulator.violations(), 0u);
    return true;
  }
  void cut_at(std::uint32_t operation, Tear tear) {
    cut_ = operation;
    tear_ = tear;
  }

 private:
  Status answer(Ledger& ledger, const SessionHooks& hooks, std::uint16_t round) {
    Session session;
    study_.round.number = round;
    if (const Status s = session.open(study_.manifest_bytes(), ledger, hooks); s != Status::ok) return s;
    std::byte work[128];
    std::uint8_t out[64];
    std::size_t bytes = 0;
    const Status status = session.answer(study_.round_bytes(), {{}, round % 8u}, work, out, bytes);
    if (status == Status::ok) {
      const std::vector<std::uint8_t> report(out, out + bytes);
      const auto [at, first] = sent.emplace(round, report);
      EXPECT_EQ(at->second, report) << "a second draw for round " << round;
      return Status::ok;
    }
    lost += status == Status::spent_unsent;
    // A later round was answered in an earlier life: this one was sent then, or lost.
    return status == Status::spent_unsent || status == Status::already_answered || status == Status::over_answers
               ? Status::ok
               : status;
  }

  std::uint64_t seed_;
  VoteStudy study_;
  std::uint32_t cut_ = FlashSimulator<2560>::k_never;
  Tear tear_ = Tear::nothing;
};

TEST(SessionCuts, no_round_is_ever_answered_twice_with_different_bytes) {
  Device whole{1};
  ASSERT_TRUE(whole.live());
  ASSERT_EQ(whole.sent.size(), k_rounds);
  ASSERT_TRUE(whole.live());  // everything again: the same bytes, or already answered
  const std::uint32_t operations = whole.simulator.operations();
  std::uint32_t cuts = 0, lost = 0;
  for (std::uint32_t first = 0; first < operations; ++first) {
    for (std::uint32_t variant = 0; variant < 8; ++variant) {
      Device device{first * 100 + variant};
      device.cut_at(first, static_cast<Tear>(variant % 3));
      if (!device.live()) ++cuts;
      if (variant >= 4) {  // and once more, soon after the boot
        device.cut_at(variant * 3 + first % 11, Tear::torn);
        if (!device.live()) ++cuts;
      }
      ASSERT_TRUE(device.live()) << "after cuts at " << first;
      ASSERT_TRUE(device.live());
      lost += device.lost;
      if (HasFailure()) return;
    }
  }
  std::cout << "power cuts in sessions: " << cuts << ", rounds lost to them: " << lost << '\n';
  EXPECT_GE(cuts, operations * 6);
}

}  // namespace
}  // namespace sotto
