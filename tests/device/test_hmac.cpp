// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// HMAC-SHA-256: the cases of RFC 4231, keys shorter and longer than a block among them.
#include "sotto/hmac.hpp"

#include "hex_bytes.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

using Bytes = std::span<const std::uint8_t>;

template <std::size_t N>
std::array<std::uint8_t, N> repeated(std::uint8_t byte) {
  std::array<std::uint8_t, N> bytes;
  bytes.fill(byte);
  return bytes;
}

void expect_code(Bytes expected, Bytes key, Bytes data) {
  Digest whole{}, pieces{};
  HmacSha256 one(key);
  one.add(data);
  one.finish(whole);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(expected.data(), whole.data(), expected.size());
  HmacSha256 two(key);
  two.add(data.first(data.size() / 3));
  two.add(data.subspan(data.size() / 3));
  two.finish(pieces);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(whole.data(), pieces.data(), whole.size());
}

void short_keys_cases_1_to_5() {
  expect_code(hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"), repeated<20>(0x0b),
              text_bytes("Hi There"));
  expect_code(hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"), text_bytes("Jefe"),
              text_bytes("what do ya want for nothing?"));
  expect_code(hex("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"), repeated<20>(0xaa),
              repeated<50>(0xdd));
  expect_code(hex("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
              hex("0102030405060708090a0b0c0d0e0f10111213141516171819"), repeated<50>(0xcd));
  expect_code(hex("a3b6167473100ee06e0c796c2955552b"), repeated<20>(0x0c), text_bytes("Test With Truncation"));
}

void keys_longer_than_a_block_cases_6_and_7() {
  expect_code(hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"), repeated<131>(0xaa),
              text_bytes("Test Using Larger Than Block-Size Key - Hash Key First"));
  expect_code(hex("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"), repeated<131>(0xaa),
              text_bytes("This is a test using a larger than block-size key and a larger than block-size data. The key "
                         "needs to be hashed before being used by the HMAC algorithm."));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(short_keys_cases_1_to_5);
  RUN_TEST(keys_longer_than_a_block_cases_6_and_7);
  return UNITY_END();
}
