// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Secrets are gone from memory although nobody reads that memory again: what a compiler loves to leave out.
#include "sotto/wipe.hpp"

#include <new>
#include <utility>

#include "seeded_entropy.hpp"
#include "sotto/bytes.hpp"
#include "sotto/chacha.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/credential.hpp"
#include "sotto/hmac.hpp"
#include "sotto/poly1305.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

// What is below speaks about optimised code without instruments; a debug build copies everything everywhere.
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SOTTO_OBJECTS_AS_ON_A_DEVICE
#endif

namespace {

alignas(8) std::uint8_t storage[512];

/// The bytes that stand there, whatever the compiler knows about the object that was there.
std::uint32_t bytes_left(std::size_t size) {
  const volatile std::uint8_t* const bytes = storage;
  std::uint32_t left = 0;
  for (std::size_t i = 0; i < size; ++i) left += bytes[i] != 0 ? 1u : 0u;
  return left;
}

void fill(std::uint8_t* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i | 1u);
}

template <class Wiper>
struct Secret {
  std::uint32_t words[16];
  std::uint8_t bytes[13];
  Secret() {
    for (std::uint32_t i = 0; i < 16; ++i) words[i] = 0x01010101u * (i + 1);
    fill(bytes, sizeof bytes);
  }
  ~Secret() { Wiper::wipe(*this); }
};

struct ByWords {
  static void wipe(auto& secret) {
    wipe_words(secret.words, 16);
    sotto::wipe(secret.bytes);
  }
};
struct ByBytes {
  static void wipe(auto& secret) {
    sotto::wipe(secret.words, sizeof secret.words);
    sotto::wipe(secret.bytes, sizeof secret.bytes);
  }
};
struct Whole {
  static void wipe(auto& secret) { wipe_object(secret); }
};
struct Plainly {
  static void wipe(auto& secret) {
    [&secret]<std::size_t... I>(std::index_sequence<I...>) { ((secret.words[I] = 0), ...); }
    (std::make_index_sequence<16>());
    [&secret]<std::size_t... I>(std::index_sequence<I...>) { ((secret.bytes[I] = 0), ...); }
    (std::make_index_sequence<13>());
  }
};

template <class Wiper>
[[gnu::noinline]] void live_and_die() {
  using S = Secret<Wiper>;
  static_assert(sizeof(S) <= sizeof storage);
  (new (storage) S)->~S();
}

template <class Wiper>
std::uint32_t left_by() {
  fill(storage, sizeof storage);
  live_and_die<Wiper>();
  return bytes_left(sizeof(std::uint32_t[16]) + 13);
}

void a_wiped_object_leaves_nothing() {
  TEST_ASSERT_EQUAL_UINT32(0, left_by<ByWords>());
  TEST_ASSERT_EQUAL_UINT32(0, left_by<ByBytes>());
  TEST_ASSERT_EQUAL_UINT32(0, left_by<Whole>());
}

#ifdef SOTTO_OBJECTS_AS_ON_A_DEVICE
// Proves that the test above can fail.
void plain_stores_are_left_out_by_this_compiler() { TEST_ASSERT_GREATER_THAN_UINT32(0, left_by<Plainly>()); }
#endif

void a_wipe_stops_at_its_end() {
  fill(storage, sizeof storage);
  wipe(storage + 1, 6);
  TEST_ASSERT_EQUAL_UINT32(sizeof storage - 6, bytes_left(sizeof storage));
  TEST_ASSERT_EQUAL_UINT8(1, storage[0]);
  TEST_ASSERT_EQUAL_UINT8(7, storage[7]);
}

void sealing_leaves_nothing() {
  const std::uint32_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::uint8_t tag[k_tag_bytes];
  auto* const stream = new (storage) AeadStream;
  stream->poly.start(key);
  stream->poly.block(key);
  stream->poly.finish(tag);
  TEST_ASSERT_GREATER_THAN_UINT32(0, bytes_left(sizeof(AeadStream)));
  stream->~AeadStream();
  TEST_ASSERT_EQUAL_UINT32(0, bytes_left(sizeof(AeadStream)));
}

#ifdef SOTTO_OBJECTS_AS_ON_A_DEVICE
/// How many of the given words stand in the stack that the call before has left behind.
[[gnu::noinline]] std::uint32_t words_in_dead_stack(const std::uint32_t* words, std::size_t count) {
  std::uint32_t area[256];
  __asm__ volatile("" : "=m"(area));  // as the stack is, but set as far as the compiler is concerned
  std::uint32_t found = 0;
  for (const std::uint32_t a : area) {
    for (std::size_t i = 0; i < count; ++i) found += a == words[i] ? 1u : 0u;
  }
  return found;
}

[[gnu::noinline]] void leave_words_behind(std::uint32_t word) {
  std::uint32_t area[256];
  for (std::uint32_t& a : area) a = word;
  __asm__ volatile("" : : "m"(area));
}

std::uint32_t secrets[8 + 48 + 48];

constexpr std::uint32_t rotate_right(std::uint32_t v, int n) { return v >> n | v << (32 - n); }

void quarter_round_backwards(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, std::uint32_t& d) {
  b = rotate_right(b, 7) ^ c;
  c -= d;
  d = rotate_right(d, 8) ^ a;
  a -= b;
  b = rotate_right(b, 12) ^ c;
  c -= d;
  d = rotate_right(d, 16) ^ a;
  a -= b;
}

/// One ChaCha block, its state after the last round and that before it: each leads to the key.
[[gnu::noinline]] void spell_block(const std::uint32_t* key, std::uint32_t counter, const std::uint32_t* nonce,
                                   std::uint32_t* to) {
  const std::uint32_t begin[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, key[0], key[1],
                                   key[2],      key[3],      key[4],      key[5],      key[6], key[7],
                                   counter,     nonce[0],    nonce[1],    nonce[2]};
  chacha_block(key, counter, nonce, ChachaRounds::private_coins, to);
  std::uint32_t* const x = to + 32;
  for (std::size_t i = 0; i < 16; ++i) x[i] = to[16 + i] = to[i] - begin[i];
  quarter_round_backwards(x[0], x[5], x[10], x[15]);
  quarter_round_backwards(x[1], x[6], x[11], x[12]);
  quarter_round_backwards(x[2], x[7], x[8], x[13]);
  quarter_round_backwards(x[3], x[4], x[9], x[14]);
}

void sealing_leaves_no_secret_in_the_stack() {
  ReportKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(0x91 + 7 * i);
  const Digest digest{};
  std::uint8_t report[k_header_bytes + 2 + k_tag_bytes] = {0x11, 1};
  const std::uint32_t nonce[3] = {0x00000111u, 0, 0};
  for (std::size_t i = 0; i < 8; ++i) secrets[i] = load_u32(key.data() + 4 * i);
  spell_block(secrets, 0, nonce, secrets + 8);
  spell_block(secrets, 1, nonce, secrets + 56);

  leave_words_behind(secrets[9]);
  TEST_ASSERT_GREATER_THAN_UINT32(0, words_in_dead_stack(secrets, 104));  // the search finds what is there
  leave_words_behind(0);
  TEST_ASSERT_TRUE(seal_report(key, {digest, digest}, report) == Status::ok);
  TEST_ASSERT_EQUAL_UINT32(0, words_in_dead_stack(secrets, 104));
}

/// The key as it is, with the pads of HMAC, and in the byte order of the hash; and the last words of the last block's schedule,
/// from which the hash can be run backwards. Not inlined: a word in a register of the test would be saved in the stack by the
/// function under test.
[[gnu::noinline]] void spell_hmac(const MasterKey& master, std::span<const std::uint8_t> message) {
  std::uint8_t inner_key[64] = {};
  for (std::size_t i = 0; i < 64; ++i) inner_key[i] = static_cast<std::uint8_t>((i < 32 ? master[i] : 0) ^ 0x36);
  Sha256 hash;
  hash.add(inner_key);
  hash.add(message);
  Digest inner{};
  hash.finish(inner);
  std::uint32_t w[64] = {};
  for (std::size_t i = 0; i < 8; ++i) w[i] = __builtin_bswap32(load_u32(inner.data() + 4 * i));
  w[8] = 0x80000000u;
  w[15] = 8 * (64 + 32);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) +
           (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
  }
  for (std::size_t i = 0; i < 16; ++i) secrets[i] = w[48 + i];
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t k = load_u32(master.data() + 4 * i), hashed = __builtin_bswap32(k);
    const std::uint32_t forms[] = {k,      k ^ 0x36363636u,      k ^ 0x5c5c5c5cu,
                                   hashed, hashed ^ 0x36363636u, hashed ^ 0x5c5c5c5cu};
    for (std::size_t f = 0; f < 6; ++f) secrets[16 + 6 * i + f] = forms[f];
  }
}

[[gnu::noinline]] void make_code(const MasterKey& master, std::span<const std::uint8_t> message, Digest& code) {
  HmacSha256 hmac(master);
  hmac.add(message);
  hmac.finish(code);
}

void authenticating_leaves_no_secret_in_the_stack() {
  MasterKey master{};
  for (std::size_t i = 0; i < master.size(); ++i) master[i] = static_cast<std::uint8_t>(0x37 + 11 * i);
  const std::uint8_t message[] = {1, 2, 3};
  Digest code{};
  spell_hmac(master, message);
  leave_words_behind(0);
  make_code(master, message, code);
  TEST_ASSERT_EQUAL_UINT32(0, words_in_dead_stack(secrets, 64));
}

std::uint32_t drawn;
[[gnu::noinline]] void draw_word(PrivateCoins& coins) { drawn = coins.word(); }

void drawing_coins_leaves_no_secret_in_the_stack() {
  SeededEntropy entropy{3};
  // The first key is the first seed.
  std::uint8_t seed[k_seed_bytes];
  SeededEntropy same{3};
  const EntropySource source = same.source();
  TEST_ASSERT_TRUE(source.read(source.context, seed, sizeof seed));
  for (std::size_t i = 0; i < 8; ++i) secrets[i] = load_u32(seed + 4 * i);
  const std::uint32_t nonce[3] = {};
  spell_block(secrets, 0, nonce, secrets + 8);
  for (std::size_t i = 0; i < 48; ++i) secrets[56 + i] = secrets[8 + i];
  wipe(seed);

  PrivateCoins coins;
  leave_words_behind(0);
  TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok);
  draw_word(coins);
  TEST_ASSERT_EQUAL_UINT32(0, words_in_dead_stack(secrets, 104));
  TEST_ASSERT_EQUAL_HEX32(secrets[16], drawn);
}
#endif

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_wiped_object_leaves_nothing);
  RUN_TEST(a_wipe_stops_at_its_end);
  RUN_TEST(sealing_leaves_nothing);
#ifdef SOTTO_OBJECTS_AS_ON_A_DEVICE
  RUN_TEST(plain_stores_are_left_out_by_this_compiler);
  RUN_TEST(sealing_leaves_no_secret_in_the_stack);
  RUN_TEST(authenticating_leaves_no_secret_in_the_stack);
  RUN_TEST(drawing_coins_leaves_no_secret_in_the_stack);
#endif
  return UNITY_END();
}
