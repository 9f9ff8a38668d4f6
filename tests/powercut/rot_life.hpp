// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ledger_kit.hpp"
#include "rot_flash.hpp"

namespace sotto {

/// What goes wrong in a life.
struct Trouble {
  const char* name;
  double cuts = 0;                                      ///< odds of a power cut, for each boot
  std::uint32_t cut_within = 60;                        ///< among so many operations
  std::uint32_t flips_once = 0, flips_each = 0;         ///< flipped bits at one boot, at each boot; at most
  bool near = false;                                    ///< all within 64 bytes
  double running = 0, reported = 0, metastable = 0;     ///< RotFlash
  double silent_program = 0, silent_erase = 0;          ///< RotFlash
  std::uint32_t stuck = 0;                              ///< bits that never change again
  bool counter = false, key = false, rollback = false;  ///< hooks; and somebody who copies older flash back
  bool forges = false;                                  ///< somebody who zeroes the spend and puts the checksum right
  bool hides = false;                                   ///< rotten images read as blank: the rules have nothing to see
};

enum class Verdict : std::uint8_t { kept, underspent, second_report, made_anew };

/// A random life of one device, and what the world outside knows of it: which reports left. After every boot the spend on record
/// must be at least theirs, and a round that was answered must not be answered otherwise.
class RotLife {
 public:
  RotLife(const Trouble& trouble, std::uint64_t seed);
  void run();

  Verdict verdict = Verdict::kept;
  Status bricked = Status::ok;  ///< the refusal that never went away
  std::uint32_t reports = 0;

 private:
  static constexpr std::uint32_t k_studies = 2;
  static constexpr Charge k_price{1'000'000'000, 1};
  static FlashGeometry geometry_of(Dice dice);

  void disturb(bool last);
  void forge();
  void hide();
  bool boot();
  void live();
  void answer(std::uint32_t study, std::uint16_t round);
  void check();

  const Trouble& trouble_;
  Dice dice_;
  RotFlash rot_;
  Flash flash_;
  Counter counter_;
  ImageKey key_;
  LedgerHooks hooks_;
  Ledger* ledger_ = nullptr;
  std::uint32_t hardware_ = 0;
  std::uint8_t secret_[32] = {7};

  bool created_ = false;
  std::uint32_t flip_boot_ = 0, boots_ = 0;
  std::uint16_t latest_[k_studies] = {};
  std::uint32_t left_[k_studies] = {};  // reports, each of a round of its own
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> sent_;
  std::vector<std::vector<std::uint8_t>> copies_;
  std::uint32_t draws_ = 0;
};

}  // namespace sotto
