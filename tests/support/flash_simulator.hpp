// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/ledger/flash.hpp"

namespace sotto {

/// How much of what was not yet synced a power cut leaves.
enum class Tear : std::uint8_t {
  nothing,     ///< no unsynced write landed
  everything,  ///< all of them did: the cut came just after
  torn,  ///< each unit landed, was lost, or has some of its bits; each erase was done, not begun, or left half-way
};

/// Flash in memory, with the rules of the real one and a switch for the power. Until a sync, writes are on their way and land in
/// any order. `violations` counts units that were programmed twice or without an erase, misaligned writes, addresses outside,
/// writes to a sector whose erase is not synced, and, if weak_erases() asked for this, to one whose last erase was cut short
/// although it reads as blank.
template <std::uint32_t k_bytes>
class FlashSimulator {
 public:
  static constexpr std::uint32_t k_never = 0xffffffffu;

  explicit FlashSimulator(const FlashGeometry& geometry, std::uint64_t seed = 1) noexcept
      : geometry_(geometry), random_(seed * 0x9e3779b97f4a7c15u + 1) {
    for (std::uint32_t i = 0; i < size(); ++i) now_[i] = durable_[i] = geometry.erased;
  }

  [[nodiscard]] Flash flash() noexcept { return {this, read, program, erase, sync, geometry_}; }
  [[nodiscard]] std::uint32_t size() const noexcept { return geometry_.sector_bytes * geometry_.sectors; }

  /// The power goes during the `operation`-th program, erase or sync from now, counted from 0.
  void cut_at(std::uint32_t operation, Tear tear) noexcept {
    until_cut_ = operation;
    tear_ = tear;
  }
  [[nodiscard]] bool is_dead() const noexcept { return dead_; }
  void power_on() noexcept {
    dead_ = false;
    until_cut_ = k_never;
  }

  [[nodiscard]] std::uint32_t operations() const noexcept { return operations_; }
  /// Programs and erases.
  [[nodiscard]] std::uint32_t writes() const noexcept { return writes_; }
  [[nodiscard]] std::uint32_t reads() const noexcept { return reads_; }
  [[nodiscard]] std::uint32_t violations() const noexcept { return violations_; }
  [[nodiscard]] std::uint32_t erases(std::uint32_t sector) const noexcept { return erases_[sector]; }
  [[nodiscard]] std::uint8_t byte(std::uint32_t address) const noexcept { return now_[address]; }
  /// Another byte, as rot or an attacker would put it there.
  void put(std::uint32_t address, std::uint8_t value) noexcept { now_[address] = durable_[address] = value; }
  void weak_erases(bool on) noexcept { weak_erases_ = on; }
  void fail_reads(bool on) noexcept { reads_fail_ = on; }

  [[nodiscard]] std::uint64_t random() noexcept {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ * 0x2545f4914f6cdd1du >> 16;
  }

 private:
  static constexpr std::uint32_t k_sectors = 4;

  static bool read(void* self, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) noexcept {
    auto& s = *static_cast<FlashSimulator*>(self);
    ++s.reads_;
    if (s.outside(address, bytes) || s.dead_ || s.reads_fail_) return false;
    for (std::uint32_t i = 0; i < bytes; ++i) out[i] = s.now_[address + i];
    return true;
  }
  static bool program(void* self, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) noexcept {
    auto& s = *static_cast<FlashSimulator*>(self);
    const std::uint32_t unit = s.geometry_.program_unit;
    ++s.writes_;
    if (s.dead_ || s.outside(address, bytes)) return false;
    if (address % unit != 0 || bytes % unit != 0 || bytes == 0) ++s.violations_;
    const std::uint32_t sector = address / s.geometry_.sector_bytes;
    if (s.weak_[sector] || s.erasing_[sector]) ++s.violations_;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const std::uint32_t a = address + i;
      if (s.now_[a] != s.geometry_.erased || s.is_programmed(a)) ++s.violations_;
      s.now_[a] = s.geometry_.erased != 0 ? s.now_[a] & data[i] : s.now_[a] | data[i];
      s.programmed_[a / 8] = static_cast<std::uint8_t>(s.programmed_[a / 8] | 1u << (a % 8));
    }
    return s.done();
  }
  static bool erase(void* self, std::uint32_t sector) noexcept {
    auto& s = *static_cast<FlashSimulator*>(self);
    if (s.dead_ || sector >= s.geometry_.sectors) return false;
    ++s.writes_;
    ++s.erases_[sector];
    s.erasing_[sector] = true;
    s.weak_[sector] = false;
    for (std::uint32_t i = 0; i < s.geometry_.sector_bytes; ++i) {
      const std::uint32_t a = sector * s.geometry_.sector_bytes + i;
      s.now_[a] = s.geometry_.erased;
      s.programmed_[a / 8] = static_cast<std::uint8_t>(s.programmed_[a / 8] & ~(1u << (a % 8)));
    }
    return s.done();
  }
  static bool sync(void* self) noexcept {
    auto& s = *static_cast<FlashSimulator*>(self);
    if (s.dead_ || !s.done()) return false;
    for (std::uint32_t i = 0; i < s.size(); ++i) s.durable_[i] = s.now_[i];
    for (bool& e : s.erasing_) e = false;
    return true;
  }

  [[nodiscard]] bool is_programmed(std::uint32_t a) const noexcept { return (programmed_[a / 8] >> (a % 8) & 1u) != 0; }
  bool outside(std::uint32_t address, std::uint32_t bytes) noexcept {
    const bool bad = address > size() || bytes > size() - address;
    violations_ += bad ? 1 : 0;
    return bad;
  }

  bool done() noexcept {
    ++operations_;
    if (until_cut_ == k_never || until_cut_-- != 0) return true;
    dead_ = true;
    for (std::uint32_t s = 0; s < geometry_.sectors; ++s) tear_sector(s);
    for (std::uint32_t i = 0; i < size(); ++i) {
      durable_[i] = now_[i];
      const auto bit = static_cast<std::uint8_t>(1u << (i % 8));
      // What reads as erased after a cut counts as not programmed: nobody could tell.
      programmed_[i / 8] = static_cast<std::uint8_t>(programmed_[i / 8] & ~bit);
      if (now_[i] != geometry_.erased) programmed_[i / 8] = static_cast<std::uint8_t>(programmed_[i / 8] | bit);
    }
    return false;
  }

  /// Which bits of byte i keep what they were.
  [[nodiscard]] std::uint8_t lost_bits(std::uint64_t kind) noexcept {
    return kind == 0 ? 0xff : kind == 1 ? 0 : static_cast<std::uint8_t>(random());
  }

  void tear_sector(std::uint32_t sector) noexcept {
    const std::uint64_t erase_kind = random() % 7;
    const std::uint32_t unit = geometry_.program_unit, begin = sector * geometry_.sector_bytes;
    const auto point = begin + static_cast<std::uint32_t>(random() % geometry_.sector_bytes);
    for (std::uint32_t u = begin; u < begin + geometry_.sector_bytes; u += unit) {
      const std::uint64_t unit_kind = random() % 4;
      for (std::uint32_t i = u; i < u + unit; ++i) {
        const auto changed = static_cast<std::uint8_t>(now_[i] ^ durable_[i]);
        std::uint8_t lost = tear_ == Tear::nothing ? 0xff : 0;
        if (tear_ == Tear::torn && !erasing_[sector]) lost = lost_bits(unit_kind);
        if (tear_ == Tear::torn && erasing_[sector]) {
          switch (erase_kind) {
            case 3: lost = unit_kind < 2 ? 0xff : 0; break;  // some units
            case 4: lost = u < point ? 0xff : 0; break;      // the end first
            case 5: lost = u < point ? 0 : 0xff; break;      // the beginning first
            default: lost = lost_bits(erase_kind);
          }
          if (erase_kind == 6 && unit_kind != 0) {  // flash that programs everything before it erases
            now_[i] = static_cast<std::uint8_t>(~geometry_.erased);
            continue;
          }
        }
        now_[i] = static_cast<std::uint8_t>(now_[i] ^ (changed & lost));
      }
    }
    if (erasing_[sector] && weak_erases_) weak_[sector] = true;
    erasing_[sector] = false;
  }

  FlashGeometry geometry_;
  std::uint64_t random_;
  std::uint8_t now_[k_bytes] = {}, durable_[k_bytes] = {}, programmed_[(k_bytes + 7) / 8] = {};
  std::uint32_t erases_[k_sectors] = {};
  bool erasing_[k_sectors] = {}, weak_[k_sectors] = {};
  std::uint32_t operations_ = 0, writes_ = 0, reads_ = 0, violations_ = 0, until_cut_ = k_never;
  Tear tear_ = Tear::nothing;
  bool dead_ = false, reads_fail_ = false, weak_erases_ = false;
};

}  // namespace sotto
