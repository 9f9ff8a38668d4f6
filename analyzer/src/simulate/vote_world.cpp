// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/vote_world.hpp"

#include <algorithm>
#include <set>

#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

/// SplitMix64's finaliser: a bijection whose outputs for consecutive inputs look independent. Simulation only.
std::uint64_t mix(std::uint64_t v) noexcept {
  v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9u;
  v = (v ^ (v >> 27)) * 0x94d049bb133111ebu;
  return v ^ (v >> 31);
}

constexpr std::uint64_t k_golden = 0x9e3779b97f4a7c15u;

/// Draw number `at` of stream `stream`, uniform over 64 bits.
std::uint64_t draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t at) noexcept {
  return mix(mix(mix(seed + k_golden) + stream * k_golden) + (at + 1) * k_golden);
}

double unit(std::uint64_t word) noexcept { return static_cast<double>(word >> 11) * 0x1p-53; }

}  // namespace

VoteWorld::VoteWorld(std::uint64_t seed, std::uint32_t features, std::uint32_t heavy, double empty)
    : seed_(seed), features_(features), empty_(empty) {
  // Floyd's subset in a random order: `heavy` draws, whatever the number of features.
  std::set<std::uint32_t> taken;
  for (std::uint32_t j = features - heavy; j < features; ++j) {
    const auto r = static_cast<std::uint32_t>(draw(seed, 1, j) % (std::uint64_t{j} + 1));
    const std::uint32_t pick = taken.insert(r).second ? r : j;
    taken.insert(pick);
    const auto place = static_cast<std::ptrdiff_t>(draw(seed, 2, j) % (heavy_.size() + 1));
    heavy_.insert(heavy_.begin() + place, pick);
  }
  double total = 0;
  for (std::uint32_t i = 0; i < heavy; ++i) up_to_.push_back(total += 2.0 * heavy - i);
  for (double& share : up_to_) share /= total;

  std::uint8_t bytes[8 + 18];
  ByteWriter writer{bytes};
  for (const char c : {'s', 'o', 't', 't', 'o', '-', 's', 'i', 'm', 'u', 'l', 'a', 't', 'i', 'o', 'n', '-', '1'}) {
    writer.u8(static_cast<std::uint8_t>(c));
  }
  writer.u64(seed);
  Sha256 hash;
  hash.add(writer.written());
  hash.finish(study_seed_);
}

std::uint32_t VoteWorld::answer(std::uint64_t device) const noexcept {
  if (unit(draw(seed_, 3, device)) < empty_) return features_;
  const auto at = std::upper_bound(up_to_.begin(), up_to_.end() - 1, unit(draw(seed_, 4, device)));
  return heavy_[static_cast<std::size_t>(at - up_to_.begin())];
}

}  // namespace sotto::analyzer
