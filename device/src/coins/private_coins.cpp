// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/coins/private_coins.hpp"

#include "sotto/bytes.hpp"
#include "sotto/chacha.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_equal_neighbours = 6;
constexpr std::uint32_t k_bits_low = 72, k_bits_high = 184;
}  // namespace

[[gnu::noinline]] Status seed_health(const std::uint8_t seed[k_seed_bytes]) noexcept {
  std::uint32_t bits_set = 0, run = 0, before = 0;  // 0 equals no byte with its marker bit
  for (std::size_t i = 0; i < k_seed_bytes; ++i) {
    std::uint32_t v = seed[i] + 256u;
    if (v != before) run = 0;
    before = v;
    if (++run == k_equal_neighbours) return Status::entropy_fault;
    for (; v != 1; v >>= 1) bits_set += v & 1u;  // always eight iterations
  }
  return bits_set - k_bits_low <= k_bits_high - k_bits_low ? Status::ok : Status::entropy_fault;
}

Status PrivateCoins::begin_report(const EntropySource& source) noexcept {
  end_report();
  if (source.ready == nullptr || source.read == nullptr || !source.ready(source.context))
    return Status::entropy_not_ready;

  // The seed is read into the words, which are zero at this point: if the hook returns true without writing, the health
  // test fails.
  std::uint32_t* const seed = key_and_words_ + 8;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(seed);
  if (!source.read(source.context, bytes, k_seed_bytes) || seed_health(bytes) != Status::ok ||
      (seed[0] == last_seed_[0] && seed[1] == last_seed_[1])) {
    end_report();
    return Status::entropy_fault;
  }
  last_seed_[0] = seed[0];
  last_seed_[1] = seed[1];
  for (int i = 0; i < 8; ++i) seed[i] = from_little_endian(seed[i]);
  stir(seed);
  ready_ = 1;
  return Status::ok;
}

[[gnu::noinline]] Status PrivateCoins::begin_report(const EntropySource& source, std::uint32_t secret[8]) noexcept {
  for (int seeds = 0; seeds != 2; ++seeds) {
    if (const Status s = begin_report(source); s != Status::ok) return s;
  }
  stir(secret);
  __builtin_memcpy(secret, key_and_words_ + 8, k_seed_bytes);
  refill();  // these words are not drawn
  return Status::ok;
}

// A block is computed between any two mixings, so that equal inputs cannot cancel (proof, step 2).
void PrivateCoins::stir(const std::uint32_t words[8]) noexcept {
  for (int i = 0; i < 8; ++i) key_and_words_[i] ^= words[i];
  refill();
}

[[gnu::noinline]] void PrivateCoins::end_report() noexcept {
  ready_ = 0;
  wipe_words(key_and_words_ + 8, k_words);
  left_ = 0;
}

void PrivateCoins::forget() noexcept {
  static_assert(sizeof *this == sizeof(std::uint32_t[8 + k_words + 4]), "nothing but words, all of them wiped");
  wipe_words(reinterpret_cast<WipedWord*>(this), sizeof *this / 4);
}

/// The block overwrites its key. Remaining words are wiped first, because the nonce is stored there.
void PrivateCoins::refill() noexcept {
  wipe_words(key_and_words_ + 8, k_words);
  chacha_block(key_and_words_, ChachaRounds::private_coins, key_and_words_);
  left_ = k_words;
}

std::uint32_t PrivateCoins::draw(void* coins) noexcept {
  PrivateCoins& c = *static_cast<PrivateCoins*>(coins);
  if (c.left_ == 0) c.refill();
  std::uint32_t& slot = c.key_and_words_[8 + k_words - c.left_--];
  const std::uint32_t w = slot;
  slot = 0;
  return w;
}

}  // namespace sotto
