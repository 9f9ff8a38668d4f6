// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "sotto/ledger/flash.hpp"

namespace sotto {

/// A small fast generator: lives are many.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  std::uint32_t word() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>(state_ * 0x2545f4914f6cdd1du >> 32);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(std::uint64_t{word()} * n >> 32); }
  bool chance(double odds) { return word() < odds * 4294967296.0; }

 private:
  std::uint64_t state_;
};

/// Flash that wears, rots and lies. What is not synced at a cut lands in any subset of units, bits within a unit included; an erase
/// that is cut stops anywhere, or leaves everything programmed first. Odds are for each operation.
class RotFlash {
 public:
  double silent_program = 0, silent_erase = 0, reported = 0, running_flip = 0, metastable = 0;
  bool refuses_reads = false;  // may `reported` hit reads

  RotFlash(const FlashGeometry& geometry, std::uint64_t seed)
      : geometry_(geometry), dice_(seed), now_(geometry.sector_bytes * geometry.sectors, geometry.erased), old_(now_) {}

  Flash flash() { return {this, read, program, erase, sync, geometry_}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(now_.size()); }
  const FlashGeometry& geometry() const { return geometry_; }
  std::vector<std::uint8_t>& bytes() { return now_; }
  /// Contents as somebody copied them, all synced.
  void restore(const std::vector<std::uint8_t>& copy) {
    now_ = old_ = copy;
    begun_.clear();
  }
  void flip(std::uint32_t bit) {
    now_[bit / 8] = static_cast<std::uint8_t>(now_[bit / 8] ^ 1u << bit % 8);
    old_[bit / 8] = static_cast<std::uint8_t>(old_[bit / 8] ^ 1u << bit % 8);
  }
  void stick(std::uint32_t bit) { stuck_.push_back({bit, dice_.below(2) != 0}); }

  void cut_at(std::uint32_t operation) { until_cut_ = operation; }
  bool is_dead() const { return dead_; }
  void power_on() {
    dead_ = false;
    until_cut_ = 0xffffffffu;
    for (std::uint32_t bit : loose_)
      if (dice_.chance(0.3)) flip(bit);  // reads otherwise this time
  }

 private:
  struct Begun {
    bool erase;
    std::uint32_t at, bytes;
  };
  struct Stuck {
    std::uint32_t bit;
    bool one;
  };

  static RotFlash& me(void* self) { return *static_cast<RotFlash*>(self); }
  void hold_stuck() {
    for (const Stuck& s : stuck_) {
      const auto mask = static_cast<std::uint8_t>(1u << s.bit % 8);
      std::uint8_t& byte = now_[s.bit / 8];
      byte = static_cast<std::uint8_t>(s.one ? byte | mask : byte & ~mask);
    }
  }
  static bool read(void* self, std::uint32_t at, std::uint8_t* out, std::uint32_t bytes) {
    RotFlash& f = me(self);
    if (f.dead_ || at + bytes > f.size()) return false;
    if (f.refuses_reads && f.reported > 0 && f.dice_.chance(f.reported / 256)) return false;
    std::memcpy(out, f.now_.data() + at, bytes);
    return true;
  }
  static bool program(void* self, std::uint32_t at, const std::uint8_t* data, std::uint32_t bytes) {
    RotFlash& f = me(self);
    if (f.dead_ || at + bytes > f.size()) return false;
    const bool fails = f.dice_.chance(f.reported), lies = f.dice_.chance(f.silent_program);
    if (!lies) {
      f.begun_.push_back({false, at, bytes});
      const std::uint32_t landed = fails ? f.dice_.below(bytes) : bytes;
      for (std::uint32_t i = 0; i < landed; ++i) {
        std::uint8_t& byte = f.now_[at + i];
        byte = static_cast<std::uint8_t>(f.geometry_.erased != 0 ? byte & data[i] : byte | data[i]);
      }
      f.hold_stuck();
    }
    return f.done() && !fails;
  }
  static bool erase(void* self, std::uint32_t sector) {
    RotFlash& f = me(self);
    if (f.dead_ || sector >= f.geometry_.sectors) return false;
    const bool fails = f.dice_.chance(f.reported), lies = f.dice_.chance(f.silent_erase);
    const std::uint32_t bytes = f.geometry_.sector_bytes, at = sector * bytes;
    if (!lies) {
      f.begun_.push_back({true, at, bytes});
      if (!fails || f.dice_.chance(0.5)) {
        std::memset(f.now_.data() + at, f.geometry_.erased, bytes);
        std::erase_if(f.loose_, [&](std::uint32_t bit) { return bit / 8 - at < bytes; });
      }
      f.hold_stuck();
    }
    return f.done() && !fails;
  }
  static bool sync(void* self) {
    RotFlash& f = me(self);
    if (f.dead_ || f.dice_.chance(f.reported) || !f.done()) return false;
    for (const Begun& b : f.begun_) std::memcpy(f.old_.data() + b.at, f.now_.data() + b.at, b.bytes);
    f.begun_.clear();
    return true;
  }

  bool done() {
    if (running_flip > 0 && dice_.chance(running_flip)) flip(dice_.below(size() * 8));
    if (until_cut_ == 0xffffffffu || until_cut_-- != 0) return true;
    dead_ = true;
    const std::uint32_t whole = dice_.below(4);  // 0: nothing landed, 1: everything, else torn
    for (const Begun& b : begun_)
      if (whole != 1) tear(b, whole == 0);
    hold_stuck();
    old_ = now_;
    begun_.clear();
    return false;
  }
  void tear(const Begun& b, bool nothing) {
    const std::uint32_t unit = geometry_.program_unit, kind = dice_.below(5), point = b.at + dice_.below(b.bytes);
    for (std::uint32_t u = b.at; u < b.at + b.bytes; u += unit) {
      const std::uint32_t fate = dice_.below(4);
      for (std::uint32_t i = u; i < u + unit; ++i) {
        std::uint8_t lost = fate == 0 ? 0xff : fate == 1 ? 0 : static_cast<std::uint8_t>(dice_.word());
        if (nothing) lost = 0xff;
        if (!nothing && b.erase && kind == 1) lost = u < point ? 0xff : 0;  // the end first
        if (!nothing && b.erase && kind == 2) lost = u < point ? 0 : 0xff;  // the beginning first
        if (!nothing && b.erase && kind == 3 && fate != 0) {                // programs everything before it erases
          now_[i] = static_cast<std::uint8_t>(~geometry_.erased);
          continue;
        }
        const auto changed = static_cast<std::uint8_t>((now_[i] ^ old_[i]) & lost);
        now_[i] = static_cast<std::uint8_t>(now_[i] ^ changed);
        if (metastable > 0 && fate > 1 && dice_.chance(metastable)) loose_.push_back(i * 8 + dice_.below(8));
      }
    }
  }

  FlashGeometry geometry_;
  Dice dice_;
  std::vector<std::uint8_t> now_, old_;
  std::vector<Begun> begun_;
  std::vector<Stuck> stuck_;
  std::vector<std::uint32_t> loose_;
  std::uint32_t until_cut_ = 0xffffffffu;
  bool dead_ = false;
};

}  // namespace sotto
