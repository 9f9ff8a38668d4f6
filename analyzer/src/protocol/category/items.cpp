// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "items.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sotto/analyzer/math/binomial.hpp"
#include "sotto/analyzer/math/selected_interval.hpp"
#include "sotto/question/top.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_confirm_level = 0.05;
constexpr std::uint64_t k_joined_max = 1u << 16;  // strings that are tried for one hash

/// The standard deviation of the support of a word that nobody has.
double support_deviation(const ItemRound& round, std::size_t reports) {
  return std::sqrt(static_cast<double>(reports) * (round.spec.categories - 1.0));
}

/// The best fragments of one place for each hash.
using Fragments = std::vector<std::vector<ScoredWord>>;

Fragments best_fragments(const ItemRound& round, std::span<const NamedNumber> reports,
                         std::span<const std::uint64_t> hashes, std::size_t kept) {
  Fragments out(hashes.size());
  score_children(round, reports, hashes, k_fragment_bits, [&](std::size_t hash, std::span<const std::int64_t> support) {
    std::vector<ScoredWord>& best = out[hash];
    for (std::size_t w = 0; w < support.size(); ++w) {
      const auto score = static_cast<double>(support[w]);
      if (best.size() == kept && score <= best.back().score) continue;
      best.insert(std::ranges::upper_bound(best, score, std::ranges::greater{}, &ScoredWord::score), {w, score});
      if (best.size() > kept) best.pop_back();
    }
  });
  return out;
}

/// The string of one hash, if there is one.
std::optional<std::string> join_one(const ItemRound& round, std::uint64_t hash, std::size_t at,
                                    std::span<const Fragments> places, std::size_t kept, std::uint32_t length) {
  std::optional<std::string> best;
  std::string made(2 * places.size(), '\0');
  double most = -1e300;
  std::vector<std::size_t> chosen(places.size(), 0);
  for (;;) {
    double score = 0;
    for (std::size_t j = 0; j < places.size(); ++j) {
      const ScoredWord& fragment = places[j][at][chosen[j]];
      score += fragment.score;
      made[2 * j] = static_cast<char>(fragment.word);
      made[2 * j + 1] = static_cast<char>(fragment.word >> 8);
    }
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(made.data());
    if (score > most && item_word({length, 1, k_string_hash_bits, 0}, round.study_seed, bytes, length) == hash) {
      most = score;
      best = made.substr(0, length);
    }
    std::size_t j = 0;
    while (j < chosen.size() && ++chosen[j] == kept) chosen[j++] = 0;
    if (j == chosen.size()) break;
  }
  if (best) best->erase(best->find_last_not_of('\0') + 1);
  return best;
}

}  // namespace

std::vector<ScoredWord> best_children(const ItemRound& round, std::span<const NamedNumber> reports,
                                      std::span<const std::uint64_t> prefixes, std::uint32_t child_bits, double cut) {
  std::vector<ScoredWord> out;
  const double deviation = support_deviation(round, reports.size());
  score_children(round, reports, prefixes, child_bits, [&](std::size_t p, std::span<const std::int64_t> support) {
    for (std::size_t w = 0; w < support.size(); ++w) {
      const double score = static_cast<double>(support[w]) / deviation;
      if (score > cut) out.push_back({prefixes[p] << child_bits | w, score});
    }
  });
  std::ranges::sort(out, [](const ScoredWord& a, const ScoredWord& b) {
    return a.score != b.score ? a.score > b.score : a.word < b.word;
  });
  out.resize(std::min(out.size(), k_kept_prefixes));
  return out;
}

std::vector<std::string> join_fragments(const ItemRound& round, std::span<const NamedNumber> reports,
                                        std::span<const std::uint64_t> hashes, std::uint32_t length) {
  const std::uint32_t count = (length + 1) / 2;
  std::vector<std::vector<NamedNumber>> by_place(count);
  for (const NamedNumber& one : reports)
    by_place[item_fragment({round.study_seed, one.pseudonym, round.number}, count) - 1].push_back(one);
  std::size_t kept = 1;  // the most for which not too many strings are tried
  while (std::pow(kept + 1, count) <= static_cast<double>(k_joined_max)) ++kept;
  std::vector<Fragments> places;
  for (const std::vector<NamedNumber>& some : by_place) places.push_back(best_fragments(round, some, hashes, kept));
  std::vector<std::string> out;
  for (std::size_t at = 0; at < hashes.size(); ++at) {
    std::optional<std::string> joined = join_one(round, hashes[at], at, places, kept, length);
    if (joined && std::ranges::find(out, *joined) == out.end()) out.push_back(std::move(*joined));
  }
  return out;
}

std::vector<ConfirmedItem> confirm_items(const ItemRound& round, std::span<const NamedNumber> reports,
                                         std::span<const std::uint64_t> keys) {
  const std::vector<std::uint64_t> hits = count_agreeing(round, reports, keys);
  const std::size_t n = reports.size();
  const double gap = round.own() - round.other();
  const auto share_of = [&](double count) { return (count / static_cast<double>(n) - round.other()) / gap; };
  std::vector<double> p_values;
  for (const std::uint64_t count : hits) p_values.push_back(binomial_tail(count, n, round.other()));
  const std::vector<bool> stands = holm_rejects(p_values, k_confirm_level);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (stands[i]) order.push_back(i);
  }
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return hits[a] != hits[b] ? hits[a] > hits[b] : keys[a] < keys[b]; });
  std::vector<ConfirmedItem> out;
  double corrected = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    const auto tests = static_cast<double>(keys.size() - rank);
    corrected = std::max(corrected, std::min(1.0, tests * p_values[i]));
    // The least count that would have stood at this place: what is shown was chosen for being above it.
    std::uint64_t low = 0, high = hits[i];
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (binomial_tail(middle, n, round.other()) <= k_confirm_level / tests)
        high = middle;
      else
        low = middle + 1;
    }
    const double share = share_of(static_cast<double>(hits[i])),
                 agreeing = static_cast<double>(hits[i]) / static_cast<double>(n);
    const double error = std::sqrt(agreeing * (1 - agreeing) / static_cast<double>(n)) / gap;
    const SelectedInterval interval =
        selected_interval(share, error, std::min(share, share_of(static_cast<double>(low))));
    out.push_back({i, std::clamp(share, 0.0, 1.0), std::clamp(interval.low, 0.0, 1.0),
                   std::clamp(interval.high, 0.0, 1.0), corrected});
  }
  return out;
}

std::string id_text(std::uint64_t id) { return fmt::format("0x{:016x}", id); }

}  // namespace sotto::analyzer
