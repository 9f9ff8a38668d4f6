// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/reading_table.hpp"

#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_first_places = 16;

/// At most four fifths of a part are used: beyond that, chains of used places become long.
constexpr bool is_full(std::size_t used, std::size_t places) noexcept { return 5 * (used + 1) > 4 * places; }

}  // namespace

ReadingTable::ReadingTable() : secret_(random_pseudonym()) {}

std::uint64_t ReadingTable::hash(std::uint16_t slot, std::uint64_t pseudonym) const noexcept {
  std::uint64_t h = (pseudonym ^ secret_) + 0x9e3779b97f4a7c15u * (std::uint64_t{slot} + 1);
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

// The highest byte chooses the part, the lowest 32 bits the place.
std::size_t ReadingTable::home(const Part& part, std::uint64_t hash) noexcept {
  return static_cast<std::size_t>((hash & 0xffffffffu) * part.places.size() >> 32);
}

HeldReading* ReadingTable::find(std::uint16_t slot, std::uint64_t pseudonym) noexcept {
  const std::uint64_t h = hash(slot, pseudonym);
  Part& part = parts_[h >> 56];
  if (part.places.empty()) return nullptr;
  for (std::size_t at = home(part, h);; at = at + 1 == part.places.size() ? 0 : at + 1) {
    HeldReading& there = part.places[at];
    if (there.state == HeldReading::State::none) return nullptr;
    if (there.pseudonym == pseudonym && there.slot() == slot) return &there;
  }
}

void ReadingTable::insert(const HeldReading& reading) {
  const std::uint64_t h = hash(reading.slot(), reading.pseudonym);
  Part& part = parts_[h >> 56];
  if (is_full(part.used, part.places.size())) grow(part);
  std::size_t at = home(part, h);
  while (part.places[at].state != HeldReading::State::none) at = at + 1 == part.places.size() ? 0 : at + 1;
  part.places[at] = reading;
  ++part.used;
}

void ReadingTable::grow(Part& part) {
  std::vector<HeldReading> before = std::move(part.places);
  part.places.assign(before.empty() ? k_first_places : before.size() + before.size() / 2, {});
  for (const HeldReading& reading : before) {
    if (reading.state == HeldReading::State::none) continue;
    std::size_t at = home(part, hash(reading.slot(), reading.pseudonym));
    while (part.places[at].state != HeldReading::State::none) at = at + 1 == part.places.size() ? 0 : at + 1;
    part.places[at] = reading;
  }
}

void ReadingTable::erase(std::uint16_t slot, std::uint64_t pseudonym) noexcept {
  HeldReading* const found = find(slot, pseudonym);
  if (found == nullptr) return;
  Part& part = parts_[hash(slot, pseudonym) >> 56];
  const std::size_t places = part.places.size();
  auto hole = static_cast<std::size_t>(found - part.places.data());
  // Readings behind the hole move into it, unless they would then stand before their home.
  for (std::size_t at = hole;;) {
    at = at + 1 == places ? 0 : at + 1;
    const HeldReading& next = part.places[at];
    if (next.state == HeldReading::State::none) break;
    const std::size_t own = home(part, hash(next.slot(), next.pseudonym));
    const bool stays = hole <= at ? hole < own && own <= at : hole < own || own <= at;
    if (stays) continue;
    part.places[hole] = next;
    hole = at;
  }
  part.places[hole] = {};
  --part.used;
}

void ReadingTable::clear() noexcept {
  for (Part& part : parts_) part = {};
}

std::size_t ReadingTable::size() const noexcept {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.used;
  return sum;
}

std::size_t ReadingTable::bytes() const noexcept {
  std::size_t sum = sizeof *this;
  for (const Part& part : parts_) sum += part.places.capacity() * sizeof(HeldReading);
  return sum;
}

}  // namespace sotto::analyzer
