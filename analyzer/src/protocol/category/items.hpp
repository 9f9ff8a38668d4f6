// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/aggregate/item_scores.hpp"
#include "sotto/analyzer/study/everyday_terms.hpp"

// The steps of the protocol top, without its rounds.
namespace sotto::analyzer {

/// A word with its support, in standard deviations of a word that nobody has.
struct ScoredWord {
  std::uint64_t word = 0;
  double score = 0;
};

/// How many prefixes a level of the tree keeps, and the least score of one.
inline constexpr std::size_t k_kept_prefixes = 64;
inline constexpr double k_prefix_cut = 3.9, k_hash_cut = 3.6;
/// The bits of a level, of the hash of a string that is found first, and of a whole key.
inline constexpr std::uint32_t k_level_bits = 16, k_string_hash_bits = 20, k_key_bits = 64;

/// The words below some prefixes whose score is above the cut, best first, at most k_kept_prefixes.
[[nodiscard]] std::vector<ScoredWord> best_children(const ItemRound& round, std::span<const NamedNumber> reports,
                                                    std::span<const std::uint64_t> prefixes, std::uint32_t child_bits,
                                                    double cut);

/// The strings of which hashes and fragments tell: for each hash the one that has this hash, made of fragments among the
/// best of their place, with the most support. Zeros at the end belong to no string. Hashes without one are left out.
[[nodiscard]] std::vector<std::string> join_fragments(const ItemRound& round, std::span<const NamedNumber> reports,
                                                      std::span<const std::uint64_t> hashes, std::uint32_t length);

/// An item that the last cohort confirmed.
struct ConfirmedItem {
  std::size_t candidate = 0;
  double share = 0, low = 0, high = 0;
  double p_value = 1;  ///< after Holm's correction, for "no device has it"
};

/// The candidates that stand at 5 % after Holm's correction with exact binomial tails, most common first. Their
/// intervals hold although only large ones are shown.
[[nodiscard]] std::vector<ConfirmedItem> confirm_items(const ItemRound& round, std::span<const NamedNumber> reports,
                                                       std::span<const std::uint64_t> keys);

/// An id as readers see it: "0x0123456789abcdef".
[[nodiscard]] std::string id_text(std::uint64_t id);

}  // namespace sotto::analyzer
