// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// SHA-256: the digests that FIPS 180-4 and its examples publish, and the edges of the padding.
#include "sotto/sha256.hpp"

#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

/// The first and the last four bytes name a digest well enough.
void expect_digest(std::uint32_t first, std::uint32_t last, const Digest& d) {
  const auto word = [&d](std::size_t at) {
    return std::uint32_t{d[at]} << 24 | std::uint32_t{d[at + 1]} << 16 | std::uint32_t{d[at + 2]} << 8 | d[at + 3];
  };
  TEST_ASSERT_EQUAL_HEX32(first, word(0));
  TEST_ASSERT_EQUAL_HEX32(last, word(28));
}

void expect_repeated_a(std::uint32_t count, std::uint32_t first, std::uint32_t last) {
  Sha256 hash;
  const std::uint8_t a = 'a';
  for (std::uint32_t i = 0; i < count; ++i) hash.add({&a, 1});
  Digest digest{};
  hash.finish(digest);
  expect_digest(first, last, digest);
}

void the_empty_message_has_its_published_digest() {
  Sha256 hash;
  Digest digest{};
  hash.finish(digest);
  const Digest expected = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
                           0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
                           0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};
  TEST_ASSERT_EQUAL_HEX8_ARRAY(expected.data(), digest.data(), 32);
}

void abc_has_its_published_digest() {
  Sha256 hash;
  const std::uint8_t message[] = {'a', 'b', 'c'};
  hash.add(message);
  Digest digest{};
  hash.finish(digest);
  expect_digest(0xba7816bfu, 0xf20015adu, digest);
}

void a_message_of_56_bytes_needs_a_second_block() {
  // abcdbcdecdefdefg...: fourteen runs of four letters.
  Sha256 hash;
  for (std::uint8_t start = 'a'; start <= 'n'; ++start) {
    const std::uint8_t run[] = {start, static_cast<std::uint8_t>(start + 1), static_cast<std::uint8_t>(start + 2),
                                static_cast<std::uint8_t>(start + 3)};
    hash.add(run);
  }
  Digest digest{};
  hash.finish(digest);
  expect_digest(0x248d6a61u, 0x19db06c1u, digest);
}

void lengths_at_the_edges_of_the_padding_are_right() {
  expect_repeated_a(55, 0x9f4390f8u, 0x0f734318u);
  expect_repeated_a(56, 0xb35439a4u, 0x6ec6738au);
  expect_repeated_a(63, 0x7d3e74a0u, 0x7ddc2f34u);
  expect_repeated_a(64, 0xffe054feu, 0x154668ebu);
}

void ten_thousand_letters_are_right() { expect_repeated_a(10000, 0x27dd1f61u, 0x1db4b711u); }

void pieces_and_the_whole_have_the_same_digest() {
  std::uint8_t message[150];
  for (std::size_t i = 0; i < sizeof message; ++i) message[i] = static_cast<std::uint8_t>(7 * i);
  Digest whole{}, pieces{};
  Sha256 one;
  one.add(message);
  one.finish(whole);
  Sha256 three;
  three.add({message, 1});
  three.add({message + 1, 70});
  three.add({message + 71, 79});
  three.finish(pieces);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(whole.data(), pieces.data(), 32);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_empty_message_has_its_published_digest);
  RUN_TEST(abc_has_its_published_digest);
  RUN_TEST(a_message_of_56_bytes_needs_a_second_block);
  RUN_TEST(lengths_at_the_edges_of_the_padding_are_right);
  RUN_TEST(ten_thousand_letters_are_right);
  RUN_TEST(pieces_and_the_whole_have_the_same_digest);
  return UNITY_END();
}
