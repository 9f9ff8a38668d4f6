// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/walsh_hash.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sotto/analyzer/aggregate/coin_blocks.hpp"
#include "sotto/analyzer/aggregate/walsh_transform.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"
#include "walsh_terms.hpp"

namespace sotto::analyzer {

static_assert(k_hash_bits_max <= 16, "the masks of a report lie in one block of public coins");

namespace {
SumsShape shape_of(const WalshHashSpec& spec, Stem stem, const Digest& name) {
  return {.stem = stem,
          .spec = name,
          .count = std::size_t{1} << mask_bits(spec),
          .term_max = (std::int64_t{1} << spec.bits) - 1,  // if all masks are zero, every term is added to one sum
          .is_histogram = false};
}

}  // namespace

Result<WalshHashAggregate> WalshHashAggregate::open(const WalshHashSpec& spec) {
  return open(spec, WalshHashSpec::k_stem, digest_of(spec));
}

Result<WalshHashAggregate> WalshHashAggregate::open(const WalshHashSpec& spec, Stem stem, const Digest& name) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return WalshHashAggregate{spec, Sums{shape_of(spec, stem, name)}};
}

bool WalshHashAggregate::accepts(std::uint32_t report) noexcept {
  const bool good = (report >> spec_.bits) == 0 && sums_.has_room();
  if (good) {
    sums_.count_used();
  } else {
    sums_.count_refused();
  }
  return good;
}

void WalshHashAggregate::add(const std::uint32_t* masks, std::uint32_t report) noexcept {
  k_walsh_adders[spec_.bits - 1](sums_.values(), masks, report);
}

bool WalshHashAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (!accepts(report)) return false;
  PublicCoins coins{label, CoinPurpose::masks};
  std::uint32_t masks[k_hash_bits_max];
  for (std::uint32_t i = 0; i < spec_.bits; ++i) masks[i] = coins.word();
  add(masks, report);
  return true;
}

std::uint64_t WalshHashAggregate::absorb(const std::uint8_t* study_seed, std::uint16_t round,
                                         std::span<const CoinReport> reports) noexcept {
  const std::uint64_t before = sums_.used();
  while (!reports.empty()) {
    const auto group = reports.first(std::min(reports.size(), k_coin_lanes));
    reports = reports.subspan(group.size());
    std::array<std::uint64_t, k_coin_lanes> pseudonyms{};
    for (std::size_t lane = 0; lane < group.size(); ++lane) pseudonyms[lane] = group[lane].pseudonym;
    CoinBlocks blocks;
    coin_blocks(study_seed, round, CoinPurpose::masks, 0, pseudonyms, blocks);
    for (std::size_t lane = 0; lane < group.size(); ++lane) {
      if (!accepts(group[lane].report)) continue;
      std::uint32_t masks[k_hash_bits_max];
      for (std::uint32_t i = 0; i < k_hash_bits_max; ++i) masks[i] = blocks.word[i][lane];
      add(masks, group[lane].report);
    }
  }
  return sums_.used() - before;
}

Result<WalshHashAggregate> WalshHashAggregate::load(const WalshHashSpec& spec, std::span<const std::uint8_t> bytes) {
  return load(spec, WalshHashSpec::k_stem, digest_of(spec), bytes);
}

Result<WalshHashAggregate> WalshHashAggregate::load(const WalshHashSpec& spec, Stem stem, const Digest& name,
                                                    std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec, stem, name), bytes);
  if (!sums.ok()) return sums.error();
  return WalshHashAggregate{spec, std::move(sums).value()};
}

CategoryCounts WalshHashAggregate::close() const {
  CategoryCounts out;
  out.used = sums_.used();
  out.refused = sums_.refused();
  const auto n = static_cast<double>(out.used);
  const double buckets = std::ldexp(1.0, static_cast<int>(spec_.bits));
  const SupportOdds odds{std::ldexp(spec_.threshold, -32), 1 / buckets};
  // The sum of |sums| is at most n (2^b - 1) < 2^51: the transform does not wrap.
  std::vector<std::int64_t> support(sums_.values().begin(), sums_.values().end());
  walsh_transform_wrap(support);
  for (std::uint32_t v = 0; v < spec_.categories; ++v) {
    const double count = static_cast<double>(support[v]) / (buckets * (odds.own - odds.other));
    out.count.push_back(count);
    out.standard_error.push_back(out.used == 0 ? 0 : std::sqrt(n * odds.variance(count / n)));
  }
  return out;
}

}  // namespace sotto::analyzer
