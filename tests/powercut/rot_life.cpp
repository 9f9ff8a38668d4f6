// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "rot_life.hpp"

#include <cstring>

#include "../../device/src/ledger/fold.hpp"
#include "sotto/hmac.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_boots = 8;
constexpr Policy k_policy{{60'000'000'000, 60}, {80'000'000'000, 80}};

Digest digest_of(std::uint32_t study) {
  Digest digest{};
  digest.fill(static_cast<std::uint8_t>(0x50 + study));
  return digest;
}

/// Visits the images whose checksum is right, wherever they stand.
template <class Visit>
void for_each_image(RotFlash& flash, Visit visit) {
  std::vector<std::uint8_t>& bytes = flash.bytes();
  const std::uint32_t sector = flash.geometry().sector_bytes;
  alignas(8) std::uint8_t copy[1024];
  for (std::uint32_t at = 0; at + k_image_head_bytes <= bytes.size();) {
    ImageLine line;
    std::memcpy(&line, bytes.data() + at, sizeof line);
    const std::uint32_t size = image_bytes(line), room = sector - at % sector;
    if (line.magic == k_ledger_magic && size <= room && size <= sizeof copy) {
      std::memcpy(copy, bytes.data() + at, size);
      if (fold_words(copy, size) == 0) {
        visit(at, copy, size);
        at += size;
        continue;
      }
    }
    at += k_line_bytes;
  }
}

}  // namespace

FlashGeometry RotLife::geometry_of(Dice dice) {
  const std::uint32_t unit = 1u << dice.below(6);
  // Two studies make an image of 384 bytes: a sector takes two to five of them.
  return {832 + 32 * dice.below(40), static_cast<std::uint16_t>(2 + dice.below(3)), static_cast<std::uint8_t>(unit),
          static_cast<std::uint8_t>(dice.below(2) != 0 ? 0xff : 0)};
}

RotLife::RotLife(const Trouble& trouble, std::uint64_t seed)
    : trouble_(trouble), dice_(seed), rot_(geometry_of(Dice(seed + 77)), seed), flash_(rot_.flash()) {
  rot_.silent_program = trouble.silent_program;
  rot_.silent_erase = trouble.silent_erase;
  rot_.reported = trouble.reported;
  rot_.refuses_reads = trouble.reported > 0;
  rot_.running_flip = trouble.running;
  rot_.metastable = trouble.metastable;
  for (std::uint32_t i = 0; i < trouble.stuck; ++i) rot_.stick(dice_.below(rot_.size() * 8));
  counter_ = {this,
              [](void* life, std::uint32_t* value) {
                *value = static_cast<RotLife*>(life)->hardware_;
                return true;
              },
              [](void* life, std::uint32_t value) {
                auto& self = *static_cast<RotLife*>(life);
                if (self.rot_.is_dead() || value != self.hardware_ + 1) return false;
                self.hardware_ = value;
                return true;
              }};
  key_ = {this, [](void* life, const std::uint8_t* bytes, std::size_t count, std::uint8_t* out) {
            HmacSha256 hmac(static_cast<RotLife*>(life)->secret_);
            hmac.add({bytes, count});
            Digest code;
            hmac.finish(code);
            std::memcpy(out, code.data(), code.size());
            return true;
          }};
  if (trouble.counter) hooks_.counter = &counter_;
  if (trouble.key) hooks_.key = &key_;
  flip_boot_ = 1 + dice_.below(k_boots - 1);
}

/// The attacker of a flash without a key: nothing was spent, no round was asked, and the checksum is right.
void RotLife::forge() {
  for_each_image(rot_, [&](std::uint32_t at, std::uint8_t* copy, std::uint32_t size) {
    auto& head = *reinterpret_cast<ImageHead*>(copy);
    head.retired = {};
    for (std::uint32_t e = k_image_head_bytes + head.removed * k_line_bytes; e < size; e += head.entry_bytes)
      std::memset(copy + e, 0, sizeof(Charge)), copy[e + 24] = copy[e + 25] = copy[e + 26] = 0;
    head.checksum = fold_words(&head.magic, size - 4);
    std::memcpy(rot_.bytes().data() + at, copy, size);
  });
  rot_.restore(std::vector<std::uint8_t>(rot_.bytes()));
}

/// Everything but whole images reads as blank, as if the ledger asked for nothing else.
void RotLife::hide() {
  std::vector<std::uint8_t> only(rot_.size(), rot_.geometry().erased);
  for_each_image(rot_, [&](std::uint32_t at, const std::uint8_t* copy, std::uint32_t size) {
    std::memcpy(only.data() + at, copy, size);
  });
  rot_.restore(only);
}

void RotLife::disturb(bool last) {
  std::uint32_t flips = 0;
  if (boots_ == flip_boot_ && trouble_.flips_once != 0) flips = 1 + dice_.below(trouble_.flips_once);
  if (trouble_.flips_each != 0) flips = 1 + dice_.below(trouble_.flips_each);
  const std::uint32_t bits = rot_.size() * 8, from = dice_.below(bits - 512);
  for (std::uint32_t i = 0; i < flips; ++i) rot_.flip(trouble_.near ? from + dice_.below(512) : dice_.below(bits));
  if (created_) copies_.push_back(rot_.bytes());
  if (trouble_.rollback && !copies_.empty() && (last || dice_.chance(0.2)))
    rot_.restore(copies_[dice_.below(static_cast<std::uint32_t>(copies_.size()))]);
  if (trouble_.forges && created_ && boots_ >= flip_boot_) forge();
  if (trouble_.hides) hide();
}

void RotLife::check() {
  const Charge total = ledger_->total_spent();
  std::uint64_t all = 0;
  for (std::uint32_t study = 0; study < k_studies; ++study) {
    const std::uint64_t real = left_[study] * k_price.epsilon;
    all += real;
    StudyEntry* entry = nullptr;
    if (find_study(*ledger_, digest_of(study), entry) == Status::ok && entry->spent.epsilon < real)
      verdict = Verdict::underspent;
  }
  if (total.epsilon < all) verdict = Verdict::underspent;
}

/// One round, through charge and store; the bytes leave when store() said so.
void RotLife::answer(std::uint32_t study, std::uint16_t round) {
  StudyEntry* entry = nullptr;
  std::uint8_t bytes[34] = {};
  std::size_t size = 0;
  if (find_study(*ledger_, digest_of(study), entry) != Status::ok) return;
  Status status = stored_report(*ledger_, entry, round, bytes, size);
  if (status == Status::not_answered) {
    status = charge(*ledger_, entry, round, k_price, sizeof bytes);
    const std::uint32_t draw = ++draws_;
    for (std::size_t i = 0; i < sizeof bytes; i += 4) std::memcpy(bytes + i, &draw, i + 4 > sizeof bytes ? 2 : 4);
    if (status == Status::ok) status = store(*ledger_, entry, bytes);
  }
  if (status != Status::ok) return;
  std::uint32_t draw = 0;
  std::memcpy(&draw, bytes, sizeof draw);
  const auto [at, first] = sent_.emplace(std::pair(study, round), draw);
  if (first) {
    ++left_[study];
    ++reports;
    if (round > latest_[study]) latest_[study] = round;
  } else if (at->second != draw) {
    verdict = Verdict::second_report;
  }
  if (dice_.chance(0.4)) static_cast<void>(acknowledge(*ledger_, entry, round));
}

void RotLife::live() {
  static_cast<void>(ledger_->set_consent(true));
  for (std::uint32_t study = 0; study < k_studies; ++study) {
    static_cast<void>(ledger_->enrol(digest_of(study), k_anybody));
    if (latest_[study] != 0) answer(study, latest_[study]);  // once more: the same bytes, or none
  }
  for (std::uint32_t acts = dice_.below(5); acts != 0 && ledger_->is_open(); --acts) {
    const std::uint32_t study = dice_.below(k_studies), what = dice_.below(16);
    if (what < 11) {
      PrivateCoins coins;
      static_cast<void>(ledger_->seed(coins, birth_entropy()));
      answer(study, static_cast<std::uint16_t>(latest_[study] + 1));
    } else if (what == 11) {
      static_cast<void>(ledger_->set_consent(!ledger_->consent()));
    } else if (what == 12) {
      static_cast<void>(ledger_->set_policy(k_policy));
    } else if (what == 13 && boots_ > 4) {
      static_cast<void>(ledger_->remove(digest_of(study)));
    }
  }
}

/// False where the device answers no more.
bool RotLife::boot() {
  RoomyLedger<k_studies, 34> ledger;
  ledger_ = &ledger;
  Status status = Status::ok;
  for (int tries = 0; tries < 4; ++tries) {
    if (trouble_.reported > 0) rot_.reported = tries == 3 ? 0 : trouble_.reported;
    status = ledger.open(flash_, hooks_);
    if (status == Status::no_ledger) {
      status = ledger.create(flash_, hooks_, k_policy, birth_entropy());
      if (status == Status::ok && created_ && !sent_.empty()) verdict = Verdict::made_anew;
    }
    if (rot_.is_dead()) return true;
    if (status == Status::ok || status == Status::ledger_corrupt || status == Status::rolled_back) break;
  }
  rot_.reported = trouble_.reported;
  if (status != Status::ok) {
    if (created_) bricked = status;  // an interrupted create() may be beyond repair: nothing was ever spent
    return false;
  }
  created_ = true;
  check();
  live();
  return true;
}

void RotLife::run() {
  for (boots_ = 0; boots_ < k_boots && verdict == Verdict::kept; ++boots_) {
    if (boots_ != 0) disturb(boots_ + 1 == k_boots);
    rot_.power_on();
    if (dice_.chance(trouble_.cuts)) rot_.cut_at(dice_.below(trouble_.cut_within));
    if (!boot()) return;
  }
}

}  // namespace sotto
