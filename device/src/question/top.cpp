// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/top.hpp"

#include "front.hpp"
#include "sotto/bytes.hpp"
#include "sotto/masks.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/sha256.hpp"
#include "sotto/wipe.hpp"

namespace sotto {
namespace {

constexpr std::uint8_t k_no_item[1] = {};

/// The round's part of an item, with the number of fragments in place of one of them.
[[nodiscard]] ItemPart part_of(const Round& round) noexcept {
  const Parameters& p = round.parameter;
  return {p[recipe::item::length], p[recipe::item::hashed], p[recipe::item::key_bits], p[recipe::item::fragments]};
}

[[nodiscard]] bool is_part(const ItemPart& part) noexcept {
  return in_range(part.length, 1, part.hashed == 1 ? k_item_bytes_max : k_item_key_bits / 8) && part.hashed <= 1 &&
         part.fragment <= (part.length + 1) / 2 &&
         part.key_bits <= k_item_key_bits - (part.fragment == 0 ? 0 : k_fragment_bits) &&
         (part.key_bits | part.fragment) != 0;
}

[[nodiscard]] TwoLevel channel_of(const Round& round) noexcept { return {round.spec[0], 1, round.spec[1]}; }

/// The epsilon is checked with the manifest, and against the policy's cap by the ledger.
Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::item) return Status::unsupported_question;
  if (round.stem != Stem::grr) return Status::bad_channel;
  if (!is_part(part_of(round)) || !spec_ends(round, 2) || !takes_only_its_own(asked)) return Status::bad_field;
  const TwoLevel channel = channel_of(round);
  if (!in_range(channel.outcomes, 2, 1u << k_item_hash_bits_max) || (channel.outcomes & (channel.outcomes - 1)) != 0)
    return Status::bad_dimension;
  if (const Status s = two_level_spend(channel, asked.manifest.epsilon); s != Status::ok) return s;
  constexpr std::size_t k_kept = kept_bytes_of<std::uint32_t>(1);  // bits of a hash, never the item
  asked.plan = {outcome_bytes(channel.outcomes), k_kept, k_kept};
  return Status::ok;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  std::uint32_t bits = 0;  // a loop, because Cortex-M0 has no CLZ
  while (asked.round.spec[0] >> bits != 1) ++bits;
  ItemPart part = part_of(asked.round);
  part.fragment = item_fragment(asked.label, part.fragment);
  const std::uint64_t word = item_word(part, asked.manifest.seed, local.item, local.item_bytes);
  number_of<std::uint32_t>(asked) = item_hash(bits, asked.label, word);
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const TwoLevel channel = channel_of(asked.round);
  TwoLevelDraw draw = draw_two_level(coins, channel);
  write_number(grr_report(channel, number_of<std::uint32_t>(asked), draw), payload);
  wipe_object(draw);
}

}  // namespace

std::uint32_t item_fragment(const CoinLabel& label, std::uint32_t fragments) noexcept {
  if (fragments == 0) return 0;
  PublicCoins coins{label, CoinPurpose::coordinate};
  return 1 + coins.below(fragments);
}

std::uint64_t item_word(const ItemPart& part, const std::uint8_t* study_seed, const std::uint8_t* item,
                        std::uint32_t item_bytes) noexcept {
  if (item == nullptr || item_bytes == 0) {
    item = k_no_item;
    item_bytes = 0;
  }
  // The same work for every length of the item: what is behind its end is read from its front and masked.
  std::uint8_t bytes[k_item_bytes_max] = {};
  for (std::uint32_t i = 0; i < part.length; ++i) {
    const std::uint32_t held = mask_less(i, item_bytes);
    bytes[i] = static_cast<std::uint8_t>(item[i & held] & held);
  }
  Digest digest{};
  const std::uint8_t* key = bytes;
  if (part.hashed != 0) {
    Sha256 hash;
    hash.add({study_seed, sizeof(Digest)});
    hash.add({bytes, part.length});
    hash.finish(digest);
    wipe_object(hash);
    key = digest.data();
  }
  const std::uint64_t whole = load_u32(key) | std::uint64_t{load_u32(key + 4)} << 32;
  std::uint64_t word = part.key_bits == 0 ? 0 : whole >> (k_item_key_bits - part.key_bits);
  if (part.fragment != 0) {
    const std::uint8_t* const pair = bytes + 2 * (part.fragment - 1);
    word = word << k_fragment_bits | pair[0] | std::uint32_t{pair[1]} << 8;
  }
  wipe(bytes);
  wipe(digest);
  return word;
}

std::uint32_t item_hash(std::uint32_t bits, const CoinLabel& label, std::uint64_t word) noexcept {
  PublicCoins masks{label, CoinPurpose::masks};
  std::uint32_t hash = 0;
  for (std::uint32_t i = 0; i < bits; ++i) {
    const std::uint32_t low = masks.word() & static_cast<std::uint32_t>(word);
    hash |= parity(low ^ (masks.word() & static_cast<std::uint32_t>(word >> 32))) << i;
  }
  return hash;
}

const Question k_top{QuestionKind::top, check, prepare, report};

}  // namespace sotto
