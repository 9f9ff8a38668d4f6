// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/ingest/duplicate_index.hpp"

#include <algorithm>

#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer {

// Without credentials senders choose their pseudonyms; the secret number keeps them from choosing the hash bucket.
std::size_t MemoryIndex::NameHash::operator()(const Name& name) const noexcept {
  static const std::uint64_t k_unknown = random_pseudonym();
  std::uint64_t h = (name.pseudonym ^ k_unknown) + 0x9e3779b97f4a7c15u * (std::uint64_t{name.slot} + 1);
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

DuplicateIndex::Finding MemoryIndex::put(std::uint16_t slot, const Reading& reading) {
  const Name name{reading.pseudonym, slot};
  const Answer answer{reading.round, reading.number, reading.payload};
  Shard& shard = shards_[NameHash{}(name) >> 58];
  const std::lock_guard hold(shard.lock);
  const auto [at, is_new] = shard.entries.try_emplace(name, Entry{answer, {}});
  if (is_new) return {};
  Entry& entry = at->second;
  if (entry.first == answer || std::ranges::find(entry.others, answer) != entry.others.end()) return {Seen::again, {}};
  const bool counted = entry.others.empty();
  if (counted && frozen_[entry.first.round]) return {Seen::contradicted, {}};
  if (entry.others.size() < k_others_max) entry.others.push_back(answer);
  if (!counted) return {Seen::contradicted, {}};
  return {Seen::contradicted, Reading{entry.first.round, reading.pseudonym, entry.first.number, entry.first.payload}};
}

void MemoryIndex::freeze(std::uint16_t round) { frozen_[round] = true; }

void MemoryIndex::each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
  std::vector<Reading> readings;
  for (const Shard& shard : shards_) {
    const std::lock_guard hold(shard.lock);
    for (const auto& [name, entry] : shard.entries) {
      if (entry.others.empty() && entry.first.round == round)
        readings.push_back({round, name.pseudonym, entry.first.number, entry.first.payload});
    }
  }
  std::ranges::sort(readings, {}, &Reading::pseudonym);
  for (const Reading& reading : readings) visit(reading);
}

}  // namespace sotto::analyzer
