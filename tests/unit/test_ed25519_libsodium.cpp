// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The device's Ed25519 and SHA-512 against libsodium's: thousands of honest, mutated and extreme inputs.
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "sotto/ed25519/ed25519.hpp"
#include "sotto/ed25519/sha512.hpp"
#include "vectors_ed25519.hpp"

namespace sotto {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Signed {
  std::array<std::uint8_t, k_public_key_bytes> key;
  std::array<std::uint8_t, k_ed25519_signature_bytes> signature;
  Bytes message;
};

bool ours(const Signed& s) { return ed25519_verify(s.message, s.signature, s.key); }
bool sodiums(const Signed& s) {
  static const std::uint8_t nothing = 0;
  return crypto_sign_verify_detached(s.signature.data(), s.message.empty() ? &nothing : s.message.data(),
                                     s.message.size(), s.key.data()) == 0;
}

class Ed25519 : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_GE(sodium_init(), 0); }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  void fill(std::span<std::uint8_t> out) {
    for (std::uint8_t& b : out) b = static_cast<std::uint8_t>(random_());
  }
  Signed honest(std::size_t message_bytes) {
    Signed s;
    std::array<std::uint8_t, crypto_sign_SEEDBYTES> seed;
    std::array<std::uint8_t, crypto_sign_SECRETKEYBYTES> secret;
    fill(seed);
    crypto_sign_seed_keypair(s.key.data(), secret.data(), seed.data());
    s.message.resize(message_bytes);
    fill(s.message);
    crypto_sign_detached(s.signature.data(), nullptr, s.message.data(), s.message.size(), secret.data());
    return s;
  }

 private:
  std::mt19937_64 random_{8032};
};

void turn(std::span<std::uint8_t> bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1u << bit % 8));
}

TEST_F(Ed25519, honest_signatures_hold_and_one_turned_bit_refuses_them) {
  for (std::size_t i = 0; i < 600; ++i) {
    Signed s = honest(i % 300);
    ASSERT_TRUE(ours(s)) << i;
    for (int mutation = 0; mutation < 3; ++mutation) {
      Signed t = s;
      if (mutation == 0) turn(t.key, below(256));
      if (mutation == 1) turn(t.signature, below(512));
      if (mutation == 2 && !t.message.empty()) turn(t.message, below(8 * t.message.size()));
      const bool same = mutation == 2 && t.message.empty();
      ASSERT_EQ(ours(t), same) << i;
      ASSERT_EQ(sodiums(t), same) << i;
    }
  }
}

TEST_F(Ed25519, every_turned_bit_of_one_signature_and_key_is_refused) {
  const Signed s = honest(20);
  for (std::size_t bit = 0; bit < 512; ++bit) {
    Signed t = s;
    turn(t.signature, bit);
    ASSERT_FALSE(ours(t)) << bit;
  }
  for (std::size_t bit = 0; bit < 256; ++bit) {
    Signed t = s;
    turn(t.key, bit);
    ASSERT_FALSE(ours(t)) << bit;
  }
}

/// Long runs of ones and zeros, where carries run far and y is not below p.
TEST_F(Ed25519, extreme_keys_and_signatures_have_the_same_verdict) {
  for (int i = 0; i < 2000; ++i) {
    Signed s = honest(3);
    const auto extreme = [this](std::span<std::uint8_t> bytes) {
      const std::size_t from = below(bytes.size()), to = from + below(bytes.size() - from + 1);
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.begin() + static_cast<std::ptrdiff_t>(to),
                below(2) == 0 ? std::uint8_t{0xff} : std::uint8_t{0});
    };
    if (i % 3 != 1) extreme(s.key);
    if (i % 3 != 0) extreme(s.signature);
    ASSERT_EQ(ours(s), sodiums(s)) << i;
  }
}

/// Where verifiers disagree. Versions behind 1.0.18 may multiply by the cofactor and accept more; never less.
TEST_F(Ed25519, the_signatures_on_which_verifiers_disagree_have_the_verdict_of_libsodium) {
  const bool cofactorless = sodium_library_version_major() == 10 && sodium_library_version_minor() <= 3;
  for (const vectors::Ed25519Case& v : vectors::k_ed25519) {
    Signed s{v.key, v.signature, {vectors::k_ed25519_bytes + v.first, vectors::k_ed25519_bytes + v.first + v.length}};
    EXPECT_EQ(ours(s), v.valid) << v.kind;
    if (cofactorless || v.valid) {
      EXPECT_EQ(sodiums(s), v.valid) << v.kind;
    }
  }
}

TEST_F(Ed25519, sha_512_is_libsodiums_for_every_length_and_any_pieces) {
  for (std::size_t size = 0; size < 400; ++size) {
    Bytes text(size);
    fill(text);
    std::array<std::uint8_t, k_sha512_bytes> expected, got;
    crypto_hash_sha512(expected.data(), text.data(), text.size());
    Sha512 hash;
    for (std::size_t at = 0; at < size;) {
      const std::size_t piece = std::min(size - at, below(200));
      hash.add(std::span(text).subspan(at, piece));
      at += piece;
    }
    hash.finish(got);
    ASSERT_EQ(got, expected) << size;
  }
}

}  // namespace
}  // namespace sotto
