// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The device's cryptography equals libsodium's, for random and for extreme inputs of every size.
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sotto/aead.hpp"
#include "sotto/bytes.hpp"
#include "sotto/credential.hpp"
#include "sotto/hmac.hpp"
#include "sotto/poly1305.hpp"

namespace sotto {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Libsodium : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_GE(sodium_init(), 0); }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  Bytes bytes(std::size_t size) {
    Bytes out;
    out.reserve(size + 1);  // libsodium wants an address even of no bytes
    out.resize(size);
    for (std::uint8_t& b : out) b = static_cast<std::uint8_t>(random_());
    return out;
  }
  /// Mostly 0xff and 0x00, where carries run long.
  Bytes extreme_bytes(std::size_t size) {
    Bytes out = bytes(size);
    for (std::uint8_t& b : out) b = b < 160 ? 0xff : b < 240 ? 0x00 : static_cast<std::uint8_t>(random_());
    return out;
  }

 private:
  std::mt19937_64 random_{20261117};
};

/// Where to put bytes, even none.
std::uint8_t* data(Bytes& bytes) {
  static std::uint8_t nothing;
  return bytes.empty() ? &nothing : bytes.data();
}

struct Sealed {
  Bytes text, tag;
  bool operator==(const Sealed&) const = default;
};

/// The bytes as words, and zeros up to a multiple of 16.
std::vector<std::uint32_t> in_words(const Bytes& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 15) / 16 * 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

Sealed seal(const Bytes& key, const Bytes& nonce, const Bytes& associated, const Bytes& text) {
  Sealed out{text, Bytes(k_tag_bytes)};
  aead_seal({key.data(), nonce.data(), in_words(associated).data(), associated.size(), out.text.data(), out.text.size(),
             out.tag.data()});
  return out;
}

bool open(const Bytes& key, const Bytes& nonce, const Bytes& associated, Sealed& sealed) {
  return aead_open({key.data(), nonce.data(), in_words(associated).data(), associated.size(), sealed.text.data(),
                    sealed.text.size(), sealed.tag.data()});
}

Sealed seal_with_libsodium(const Bytes& key, const Bytes& nonce, const Bytes& associated, const Bytes& text) {
  Sealed out{Bytes(text.size()), Bytes(k_tag_bytes)};
  crypto_aead_chacha20poly1305_ietf_encrypt_detached(data(out.text), out.tag.data(), nullptr, text.data(), text.size(),
                                                     associated.data(), associated.size(), nullptr, nonce.data(),
                                                     key.data());
  return out;
}

TEST_F(Libsodium, seals_ten_thousand_texts_to_the_same_bytes_and_opens_them) {
  for (int i = 0; i < 10000; ++i) {
    const Bytes key = bytes(32), nonce = bytes(12), associated = bytes(below(201)), text = bytes(below(201));
    Sealed sealed = seal(key, nonce, associated, text);
    ASSERT_EQ(sealed, seal_with_libsodium(key, nonce, associated, text)) << associated.size() << " and " << text.size();
    ASSERT_TRUE(open(key, nonce, associated, sealed));
    ASSERT_EQ(sealed.text, text);
  }
}

TEST_F(Libsodium, neither_opens_a_text_with_a_flipped_bit) {
  for (int i = 0; i < 1000; ++i) {
    const Bytes key = bytes(32), nonce = bytes(12), associated = bytes(below(100)), text = bytes(1 + below(100));
    Sealed sealed = seal(key, nonce, associated, text);
    Bytes& part = below(2) == 0 ? sealed.text : sealed.tag;
    part[below(part.size())] ^= static_cast<std::uint8_t>(1u << below(8));
    Bytes opened(text.size());
    ASSERT_NE(crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                  data(opened), nullptr, sealed.text.data(), sealed.text.size(), sealed.tag.data(), associated.data(),
                  associated.size(), nonce.data(), key.data()),
              0);
    ASSERT_FALSE(open(key, nonce, associated, sealed));
  }
}

TEST_F(Libsodium, has_the_same_poly1305_where_carries_run_long) {
  for (int i = 0; i < 100000; ++i) {
    const Bytes key = i % 4 == 0 ? bytes(32) : extreme_bytes(32), text = extreme_bytes(below(81));
    std::uint32_t words[8];
    for (std::size_t w = 0; w < 8; ++w) words[w] = load_u32(key.data() + 4 * w);
    Poly1305 poly;
    poly.start(words);
    Bytes padded = text;
    if (text.size() % 16 != 0) padded.push_back(1);
    const std::vector<std::uint32_t> blocks = in_words(padded);
    for (std::size_t at = 0; at < blocks.size(); at += 4) poly.block(&blocks[at], at / 4 < text.size() / 16 ? 1 : 0);
    Bytes tag(k_tag_bytes), expected(k_tag_bytes);
    poly.finish(tag.data());
    crypto_onetimeauth(expected.data(), text.data(), text.size(), key.data());
    ASSERT_EQ(tag, expected) << text.size() << " bytes, case " << i;
  }
}

TEST_F(Libsodium, has_the_same_sha256_and_hmac_for_every_size) {
  for (std::size_t size = 0; size <= 300; ++size) {
    const Bytes text = bytes(size), key = bytes(below(150));
    const std::span<const std::uint8_t> view(text);
    const std::size_t cut = below(size + 1);
    Digest digest{}, expected{};
    Sha256 hash;
    hash.add(view.first(cut));
    hash.add(view.subspan(cut));
    hash.finish(digest);
    crypto_hash_sha256(expected.data(), text.data(), text.size());
    ASSERT_EQ(digest, expected) << size << " bytes";

    HmacSha256 hmac(key);
    hmac.add(view.first(cut));
    hmac.add(view.subspan(cut));
    hmac.finish(digest);
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key.data(), key.size());
    crypto_auth_hmacsha256_update(&state, text.data(), text.size());
    crypto_auth_hmacsha256_final(&state, expected.data());
    ASSERT_EQ(digest, expected) << size << " bytes, key of " << key.size();
  }
}

// The formats' own words, written again with libsodium: key, nonce and associated data of a report.
TEST_F(Libsodium, opens_a_report_by_the_rules_of_the_format) {
  for (std::size_t payload = 0; payload <= 100; ++payload) {
    MasterKey master{};
    Digest study{}, round{};
    std::ranges::copy(bytes(32), master.begin());
    std::ranges::copy(bytes(32), study.begin());
    std::ranges::copy(bytes(32), round.begin());
    const Bytes header = bytes(16), text = bytes(payload);
    const std::uint64_t pseudonym = std::uint64_t{load_u32(header.data() + 12)} << 32 | load_u32(header.data() + 8);
    ReportKey key{};
    derive_key(master, study, pseudonym, key);
    Bytes report = header;
    report.insert(report.end(), text.begin(), text.end());
    report.resize(16 + payload + 16);
    ASSERT_EQ(seal_report(key, {study, round}, report), Status::ok);
    ASSERT_TRUE(std::equal(header.begin(), header.end(), report.begin()));

    Bytes message, derived(32), opened(payload);
    for (const char c : std::string("sotto-key-1")) message.push_back(static_cast<std::uint8_t>(c));
    message.insert(message.end(), study.begin(), study.end());
    message.insert(message.end(), header.begin() + 8, header.end());
    crypto_auth_hmacsha256(derived.data(), message.data(), message.size(), master.data());
    Bytes associated;
    for (const char c : std::string("sotto-ad-1")) associated.push_back(static_cast<std::uint8_t>(c));
    associated.insert(associated.end(), study.begin(), study.end());
    associated.insert(associated.end(), round.begin(), round.end());
    associated.insert(associated.end(), header.begin(), header.end());
    Bytes nonce(header.begin(), header.begin() + 8);
    nonce.resize(12);
    ASSERT_EQ(crypto_aead_chacha20poly1305_ietf_decrypt(data(opened), nullptr, nullptr, report.data() + 16,
                                                        report.size() - 16, associated.data(), associated.size(),
                                                        nonce.data(), derived.data()),
              0);
    ASSERT_EQ(opened, text);
    ASSERT_TRUE(open_report(key, {study, round}, report));
    ASSERT_TRUE(std::equal(text.begin(), text.end(), report.begin() + 16));
  }
}

}  // namespace
}  // namespace sotto
