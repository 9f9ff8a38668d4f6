// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// ChaCha20-Poly1305: the vectors of RFC 8439, 2.8.2 and A.5; texts that were touched are not opened.
#include "sotto/aead.hpp"

#include <array>

#include "hex_bytes.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr auto k_sun_key = hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
constexpr auto k_sun_nonce = hex("070000004041424344454647");
constexpr auto k_sun_associated = hex("50515253c0c1c2c3c4c5c6c7");
constexpr char k_sun_text[] =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be "
    "it.";
constexpr auto k_sun_sealed = hex(
    "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905"
    "d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b611"
    "6");
constexpr auto k_sun_tag = hex("1ae10b594f09e26a7e902ecbd0600691");
constexpr char k_draft_text[] =
    "Internet-Drafts are draft documents valid for a maximum of six months and may be updated, replaced, or obsoleted "
    "by "
    "other documents at any time. It is inappropriate to use Internet-Drafts as reference material or to cite them "
    "other "
    "than as /\xe2\x80\x9cwork in progress./\xe2\x80\x9d";

/// A message whose bytes all may be changed.
struct Message {
  std::array<std::uint8_t, k_key_bytes> key;
  std::array<std::uint8_t, k_nonce_bytes> nonce;
  alignas(4) std::array<std::uint8_t, 16> associated{};  // 12 bytes and zeros
  std::array<std::uint8_t, 272> text{};
  std::size_t text_bytes;
  std::array<std::uint8_t, k_tag_bytes> tag{};

  Message(const auto& k, const auto& n, const auto& a, Bytes t) : key(k), nonce(n), text_bytes(t.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) associated[i] = a[i];
    for (std::size_t i = 0; i < t.size(); ++i) text[i] = t[i];
  }
  AeadText as_text() {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(associated.data());
    return {key.data(), nonce.data(), words, 12, text.data(), text_bytes, tag.data()};
  }
};

Message sunscreen() { return {k_sun_key, k_sun_nonce, k_sun_associated, text_bytes(k_sun_text)}; }
Message sealed_sunscreen() {
  Message m = sunscreen();
  aead_seal(m.as_text());
  return m;
}

void the_example_of_section_2_8_2_is_sealed() {
  const Message m = sealed_sunscreen();
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_sun_sealed.data(), m.text.data(), k_sun_sealed.size());
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_sun_tag.data(), m.tag.data(), k_tag_bytes);
}

void the_example_of_section_2_8_2_is_opened() {
  Message m = sealed_sunscreen();
  TEST_ASSERT_TRUE(aead_open(m.as_text()));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(text_bytes(k_sun_text).data(), m.text.data(), m.text_bytes);
}

void the_example_of_a_5_is_sealed_and_opened() {
  Message m{hex("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"), hex("000000000102030405060708"),
            hex("f33388860000000000004e91"), text_bytes(k_draft_text)};
  aead_seal(m.as_text());
  const auto begin = hex("64a0861575861af460f062c79be643bd"), tag = hex("eead9d67890cbb22392336fea1851f38");
  TEST_ASSERT_EQUAL_UINT32(265, m.text_bytes);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(begin.data(), m.text.data(), 16);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(tag.data(), m.tag.data(), 16);
  TEST_ASSERT_TRUE(aead_open(m.as_text()));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(text_bytes(k_draft_text).data(), m.text.data(), m.text_bytes);
}

void a_text_with_any_changed_bit_stays_closed_and_untouched() {
  const Message good = sealed_sunscreen();
  const auto refuses = [&good](auto member, std::size_t size) {
    for (std::size_t bit = 0; bit < 8 * size; bit += 3) {
      Message m = good;
      (m.*member)[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
      const Message before = m;
      TEST_ASSERT_FALSE(aead_open(m.as_text()));
      TEST_ASSERT_EQUAL_HEX8_ARRAY(before.text.data(), m.text.data(), m.text_bytes);
    }
  };
  refuses(&Message::key, k_key_bytes);
  refuses(&Message::nonce, k_nonce_bytes);
  refuses(&Message::associated, 12);
  refuses(&Message::text, good.text_bytes);
  refuses(&Message::tag, k_tag_bytes);
}

void a_byte_moved_between_text_and_associated_data_does_not_open() {
  Message m = sealed_sunscreen();
  --m.text_bytes;
  TEST_ASSERT_FALSE(aead_open(m.as_text()));
  ++m.text_bytes;
  AeadText shorter = m.as_text();
  --shorter.associated_bytes;
  TEST_ASSERT_FALSE(aead_open(shorter));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_example_of_section_2_8_2_is_sealed);
  RUN_TEST(the_example_of_section_2_8_2_is_opened);
  RUN_TEST(the_example_of_a_5_is_sealed_and_opened);
  RUN_TEST(a_text_with_any_changed_bit_stays_closed_and_untouched);
  RUN_TEST(a_byte_moved_between_text_and_associated_data_does_not_open);
  return UNITY_END();
}
