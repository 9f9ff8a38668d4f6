// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Poly1305: the vectors of RFC 8439, 2.5.2 and A.3, which reach each carry and each edge of the modulus.
#include "sotto/poly1305.hpp"

#include <array>

#include "hex_bytes.hpp"
#include "sotto/bytes.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

using Bytes = std::span<const std::uint8_t>;
using Tag = std::array<std::uint8_t, k_tag_bytes>;

constexpr auto k_zero = hex("00000000000000000000000000000000");
constexpr auto k_ones = hex("ffffffffffffffffffffffffffffffff");
constexpr char k_ietf[] =
    "Any submission to the IETF intended by the Contributor for publication as all or part of an IETF Internet-Draft "
    "or "
    "RFC and any statement made within the context of an IETF activity is considered an \"IETF Contribution\". Such "
    "statements include oral statements in IETF sessions, as well as written and electronic communications made at any "
    "time or place, which are addressed to";
constexpr char k_brillig[] =
    "'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\nAll mimsy were the borogoves,\nAnd the "
    "mome "
    "raths outgrabe.";

struct Key {
  std::uint32_t words[8];
  Key(Bytes r, Bytes s) {
    for (std::size_t i = 0; i < 4; ++i) {
      words[i] = load_u32(r.data() + 4 * i);
      words[4 + i] = load_u32(s.data() + 4 * i);
    }
  }
};

void expect_tag(const Tag& expected, Bytes r, Bytes s, std::initializer_list<Bytes> pieces) {
  Poly1305 poly;
  poly.start(Key(r, s).words);
  for (const Bytes piece : pieces) {
    for (std::size_t at = 0; at < piece.size(); at += 16) {
      std::array<std::uint8_t, 16> block{};
      const std::size_t held = piece.size() - at < 16 ? piece.size() - at : 16;
      for (std::size_t i = 0; i < held; ++i) block[i] = piece[at + i];
      if (held < 16) block[held] = 1;  // only of the last piece
      std::uint32_t words[4];
      for (std::size_t i = 0; i < 4; ++i) words[i] = load_u32(block.data() + 4 * i);
      poly.block(words, held == 16 ? 1 : 0);
    }
  }
  Tag tag{};
  poly.finish(tag.data());
  TEST_ASSERT_EQUAL_HEX8_ARRAY(expected.data(), tag.data(), tag.size());
}

void the_example_of_section_2_5_2() {
  expect_tag(hex("a8061dc1305136c6c22b8baf0c0127a9"), hex("85d6be7857556d337f4452fe42d506a8"),
             hex("0103808afb0db2fd4abff6af4149f51b"), {text_bytes("Cryptographic Forum Research Group")});
}

void texts_a_3_1_to_4() {
  constexpr auto k_key = hex("36e5f6b5c5e06070f0efca96227a863e");
  expect_tag(k_zero, k_zero, k_zero, {k_zero, k_zero, k_zero, k_zero});
  expect_tag(k_key, k_zero, k_key, {text_bytes(k_ietf)});
  expect_tag(hex("f3477e7cd95417af89a6b8794c310cf0"), k_key, k_zero, {text_bytes(k_ietf)});
  expect_tag(hex("4541669a7eaaee61e708dc7cbcc5eb62"), hex("1c9240a5eb55d38af333888604f6b5f0"),
             hex("473917c1402b80099dca5cbc207075c0"), {text_bytes(k_brillig)});
}

void carries_and_edges_of_the_modulus_a_3_5_to_11() {
  constexpr auto k_one = hex("01000000000000000000000000000000"), k_two = hex("02000000000000000000000000000000");
  constexpr auto k_three = hex("03000000000000000000000000000000");
  expect_tag(k_three, k_two, k_zero, {k_ones});
  expect_tag(k_three, k_two, k_ones, {k_two});
  expect_tag(hex("05000000000000000000000000000000"), k_one, k_zero,
             {k_ones, hex("f0ffffffffffffffffffffffffffffff"), hex("11000000000000000000000000000000")});
  expect_tag(k_zero, k_one, k_zero,
             {k_ones, hex("fbfefefefefefefefefefefefefefefe"), hex("01010101010101010101010101010101")});
  expect_tag(hex("faffffffffffffffffffffffffffffff"), k_two, k_zero, {hex("fdffffffffffffffffffffffffffffff")});

  constexpr auto k_r = hex("01000000000000000400000000000000");
  constexpr auto k_text =
      hex("e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000");
  expect_tag(hex("14000000000000005500000000000000"), k_r, k_zero, {k_text, k_one});
  expect_tag(hex("13000000000000000000000000000000"), k_r, k_zero, {k_text});
}

void nothing_at_all_has_the_added_key_as_its_tag() {
  expect_tag(k_ones, hex("02030405060708090a0b0c0d0e0f1011"), k_ones, {});
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_example_of_section_2_5_2);
  RUN_TEST(texts_a_3_1_to_4);
  RUN_TEST(carries_and_edges_of_the_modulus_a_3_5_to_11);
  RUN_TEST(nothing_at_all_has_the_added_key_as_its_tag);
  return UNITY_END();
}
