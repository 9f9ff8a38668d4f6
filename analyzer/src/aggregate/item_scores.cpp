// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/item_scores.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sotto/analyzer/aggregate/coin_blocks.hpp"
#include "sotto/analyzer/aggregate/walsh_transform.hpp"
#include "walsh_terms.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_reports_at_once = std::size_t{1} << 14;
constexpr std::uint32_t k_block_words = 16;
static_assert(2 * k_hash_bits_max <= 2 * k_block_words, "the masks of a report lie in two blocks of public coins");

/// The masks of one report's hash, as the device draws them (item_hash() in sotto/question/top.hpp), and the report.
struct MaskedReport {
  std::array<std::uint64_t, k_hash_bits_max> masks;
  std::uint32_t report;
};

/// Calls `take` with groups of reports and their masks.
template <class Take>
void for_masked(const ItemRound& round, std::span<const NamedNumber> reports, const Take& take) {
  const std::uint32_t bits = round.bits();
  std::vector<MaskedReport> group;
  while (!reports.empty()) {
    const auto some = reports.first(std::min(reports.size(), k_reports_at_once));
    reports = reports.subspan(some.size());
    group.resize(some.size());
    for (std::size_t first = 0; first < some.size(); first += k_coin_lanes) {
      const std::size_t lanes = std::min(k_coin_lanes, some.size() - first);
      std::array<std::uint64_t, k_coin_lanes> pseudonyms{};
      for (std::size_t lane = 0; lane < lanes; ++lane) pseudonyms[lane] = some[first + lane].pseudonym;
      CoinBlocks blocks[2];
      for (std::uint32_t block = 0; block * k_block_words < 2 * bits; ++block)
        coin_blocks(round.study_seed, round.number, CoinPurpose::masks, block, pseudonyms, blocks[block]);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        MaskedReport& out = group[first + lane];
        out.report = some[first + lane].number;
        const auto word = [&](std::uint32_t i) { return blocks[i / k_block_words].word[i % k_block_words][lane]; };
        for (std::uint32_t i = 0; i < bits; ++i) out.masks[i] = word(2 * i) | std::uint64_t{word(2 * i + 1)} << 32;
      }
    }
    take(std::span<const MaskedReport>(group));
  }
}

/// The hash of a word: bit i is the parity of the word and mask i.
std::uint32_t hash_of(const MaskedReport& report, std::uint32_t bits, std::uint64_t word) noexcept {
  std::uint32_t hash = 0;
  for (std::uint32_t i = 0; i < bits; ++i)
    hash |= (static_cast<std::uint32_t>(std::popcount(report.masks[i] & word)) & 1u) << i;
  return hash;
}

}  // namespace

std::uint32_t ItemRound::bits() const noexcept { return static_cast<std::uint32_t>(std::countr_zero(spec.categories)); }
double ItemRound::own() const noexcept { return std::ldexp(spec.threshold, -32); }
double ItemRound::other() const noexcept { return 1.0 / spec.categories; }

void score_children(const ItemRound& round, std::span<const NamedNumber> reports,
                    std::span<const std::uint64_t> prefixes, std::uint32_t child_bits,
                    const std::function<void(std::size_t, std::span<const std::int64_t>)>& take) {
  const std::uint32_t bits = round.bits();
  std::vector<std::vector<std::int64_t>> sums(prefixes.size(),
                                              std::vector<std::int64_t>(std::size_t{1} << child_bits, 0));
  for_masked(round, reports, [&](std::span<const MaskedReport> group) {
    for (std::size_t p = 0; p < prefixes.size(); ++p) {
      const std::uint64_t prefix = prefixes[p] << child_bits;
      for (const MaskedReport& one : group) {
        std::uint32_t low[k_hash_bits_max];
        for (std::uint32_t i = 0; i < bits; ++i) low[i] = static_cast<std::uint32_t>(one.masks[i]);
        // The hash is linear: of a word below the prefix it is that of the prefix XOR that of the child's own bits.
        k_walsh_adders[bits - 1](sums[p], low, one.report ^ hash_of(one, bits, prefix));
      }
    }
  });
  for (std::size_t p = 0; p < prefixes.size(); ++p) {
    walsh_transform_wrap(sums[p]);
    take(p, sums[p]);
  }
}

std::vector<std::uint64_t> count_agreeing(const ItemRound& round, std::span<const NamedNumber> reports,
                                          std::span<const std::uint64_t> words) {
  const std::uint32_t bits = round.bits();
  std::vector<std::uint64_t> out(words.size(), 0);
  for_masked(round, reports, [&](std::span<const MaskedReport> group) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      for (const MaskedReport& one : group) out[k] += hash_of(one, bits, words[k]) == one.report ? 1u : 0u;
    }
  });
  return out;
}

}  // namespace sotto::analyzer
