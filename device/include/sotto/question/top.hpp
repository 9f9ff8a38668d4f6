// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `top`: a public hash of one item of this device, an id or a string, for lists of the most common ones.

#include "sotto/session/question.hpp"

namespace sotto {

/// A few bits of a public hash of the device's item. Recipe item; its parameters (recipe::item) say which part of the
/// item is hashed: the first bits of its key, one of its fragments of two bytes, which public coins choose, or both. The item is LocalData::item, cut to the
/// round's length or filled with zeros up to it, so that no duration depends on its length; without an item the answer
/// is that of zeros. The key is the item itself, at most 8 bytes, or SHA-256 of the study's seed and the item. The hash
/// is linear with 64-bit masks from this device's public coins. Randomizer: grr over the values of the hash. Payload:
/// one number.
extern const Question k_top;

/// The most bytes of an item that are read, and the bits of one fragment.
inline constexpr std::uint32_t k_item_bytes_max = 32, k_fragment_bits = 16;
inline constexpr std::uint32_t k_item_key_bits = 64;
/// The most bits of the hash, so that a payload has two bytes.
inline constexpr std::uint32_t k_item_hash_bits_max = 12;

/// Which part of an item is hashed: the parameters of recipe item, with the fragment in place of their number.
struct ItemPart {
  std::uint32_t length;    ///< bytes of an item, 1 .. 32
  std::uint32_t hashed;    ///< 1: the key is a digest of the item; 0: it is the item, and length is at most 8
  std::uint32_t key_bits;  ///< the first bits of the key, 0 .. 64
  std::uint32_t fragment;  ///< the number of a pair of bytes, from 1 on, with key_bits at most 48; 0: none
};

/// The fragment, from 1 on, that public coins of purpose coordinate choose for a device; 0 if there are none.
[[nodiscard]] std::uint32_t item_fragment(const CoinLabel& label, std::uint32_t fragments) noexcept;

/// The part of an item as one number: the first key_bits of the key, and below them the 16 bits of the fragment.
[[nodiscard]] std::uint64_t item_word(const ItemPart& part, const std::uint8_t* study_seed, const std::uint8_t* item,
                                      std::uint32_t item_bytes) noexcept;

/// The hash of a word: bit i is the parity of the word and a mask, two words of public coins of purpose masks.
[[nodiscard]] std::uint32_t item_hash(std::uint32_t bits, const CoinLabel& label, std::uint64_t word) noexcept;

}  // namespace sotto
