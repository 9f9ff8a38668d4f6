// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writes the corpus of ledger_fuzz.cpp: make_ledger_corpus DIRECTORY. Each file is a choice of geometry and the flash of a device at
// one point of its life: created; enrolled and answered; answered often, acknowledged, with two studies; cut in a charge; with a study
// removed; cut in the erase of a move.
#include <cstdint>
#include <fstream>
#include <string>

#include "../support/flash_simulator.hpp"
#include "../support/ledger_kit.hpp"

using namespace sotto;

namespace {

using Simulator = FlashSimulator<3 * 1120>;

void live(Simulator& simulator, int life) {
  const Flash flash = simulator.flash();
  const LedgerHooks hooks;
  RoomyLedger<3, 34> ledger;
  StudyEntry *first = nullptr, *second = nullptr;
  std::uint8_t report[34] = {7};
  Credential credential{42, {}};
  credential.key.fill(9);
  static_cast<void>(ledger.create(flash, hooks, {{20'000'000'000, 100}, {40'000'000'000, 200}}, birth_entropy()));
  if (life == 0) return;
  static_cast<void>(ledger.set_consent(true));
  static_cast<void>(ledger.enrol(Digest{1}, credential));
  static_cast<void>(find_study(ledger, Digest{1}, first));
  static_cast<void>(charge(ledger, first, 1, {1'000'000'000, 3}, sizeof report));
  static_cast<void>(store(ledger, first, report));
  if (life == 1) return;
  static_cast<void>(ledger.enrol(Digest{2}, k_anybody));
  static_cast<void>(find_study(ledger, Digest{2}, second));
  for (std::uint16_t round = 2; round < 6; ++round) {
    static_cast<void>(charge(ledger, second, round, {500'000'000, 0}, 18));
    static_cast<void>(store(ledger, second, std::span(report).first(18)));
    static_cast<void>(acknowledge(ledger, second, round));
  }
  if (life == 2) return;
  if (life == 3) {
    simulator.cut_at(0, Tear::torn);
    static_cast<void>(charge(ledger, first, 9, {1'000'000'000, 3}, sizeof report));
    return;
  }
  static_cast<void>(ledger.remove(Digest{2}));
  if (life == 4) return;
  simulator.cut_at(6, Tear::torn);  // the erase of the sector before
  static_cast<void>(ledger.set_policy({{9'000'000'000, 9}, {9'000'000'000, 9}}));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const unsigned choice : {0u, 2u, 3u, 5u, 10u, 18u, 28u, 128u, 130u}) {
    const FlashGeometry geometry{1120, static_cast<std::uint16_t>(2 + (choice >> 3 & 1)),
                                 static_cast<std::uint8_t>(1u << (choice & 7u) % 6),
                                 static_cast<std::uint8_t>((choice & 16) != 0 ? 0x00 : 0xff)};
    for (int kind = 0; kind < 6; ++kind) {
      Simulator simulator(geometry, 3);
      live(simulator, kind);
      std::ofstream file(std::string(argv[1]) + "/life_" + std::to_string(kind) + "_geometry_" + std::to_string(choice),
                         std::ios::binary);
      file.put(static_cast<char>(choice));
      for (std::uint32_t at = 0; at < simulator.size(); ++at) file.put(static_cast<char>(simulator.byte(at)));
    }
  }
  return 0;
}
