// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flash_simulator.hpp"
#include "ledger_kit.hpp"

namespace sotto {

inline constexpr std::uint32_t k_life_bytes = 3 * 1920;
using LifeFlash = FlashSimulator<k_life_bytes>;

/// The scripted life of a device with three studies, and what the world outside knows of it. Cuts end a step half-way; after a
/// reboot the step is tried again, as a firmware would. `complaint` is empty as long as every promise is kept.
class Life {
 public:
  Life(const FlashGeometry& geometry, std::uint64_t seed) : simulator_(geometry, seed), flash_(simulator_.flash()) {}

  LifeFlash& simulator() { return simulator_; }
  /// Lives to the end of the script. Each reboot takes the next of `cuts`: (operation, counted from the boot; what is left).
  void run(const std::vector<std::pair<std::uint32_t, Tear>>& cuts);

  std::string complaint;
  std::uint32_t cuts_felt = 0;
  std::uint32_t answered = 0, lost = 0;

 private:
  struct Round {
    std::uint32_t draws = 0;
    std::vector<std::uint8_t> sent;
  };
  static constexpr std::uint32_t k_studies = 3;
  static constexpr Charge k_charge{250'000'000, 3};

  void boot(const std::pair<std::uint32_t, Tear>* cut);
  bool step(std::uint32_t number);  // false: the power went
  bool answer(std::uint32_t study, std::uint16_t round, bool acknowledge);
  bool withdraw(bool on);
  void check_books();
  void check(bool promise, const char* what, Status status = Status::ok);

  LifeFlash simulator_;
  Flash flash_;
  LedgerHooks hooks_;
  Ledger* ledger_ = nullptr;

  bool created_ = false, ended_ = false;
  int consent_ = 0;  // as the ledger said; -1 when a cut left it open
  std::array<Charge, k_studies> spent_{}, maybe_{};
  std::map<std::pair<std::uint32_t, std::uint16_t>, Round> rounds_;
  std::uint64_t draw_number_ = 0;
  std::uint32_t step_ = 0;
};

}  // namespace sotto
