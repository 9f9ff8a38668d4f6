// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of ed25519: RFC 8032, and the signatures on which verifiers disagree.
#include "sotto/ed25519/ed25519.hpp"
#include "unity.h"
#include "vectors_ed25519.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Ed25519Case;

std::span<const std::uint8_t> message_of(const Ed25519Case& v) {
  return {vectors::k_ed25519_bytes + v.first, v.length};
}

void every_verdict_is_the_references() {
  std::size_t valid = 0;
  for (const Ed25519Case& v : vectors::k_ed25519) {
    const bool verdict = ed25519_verify(message_of(v), v.signature, v.key);
    TEST_ASSERT_EQUAL_UINT8_MESSAGE(v.valid, verdict, v.kind);
    valid += verdict ? 1 : 0;
  }
  TEST_ASSERT_EQUAL_UINT(8, valid);
  TEST_ASSERT_EQUAL_UINT(1023, vectors::k_ed25519[3].length);
}

/// The vector's three parts where a hook finds them, with one bit of one of them turned.
bool hook_accepts(const Ed25519Case& v, std::size_t key_bit, std::size_t message_bit, std::size_t signature_bit) {
  constexpr std::size_t k_none = ~std::size_t{0};
  Ed25519Case turned = v;
  std::uint8_t message[8] = {};
  for (std::size_t i = 0; i < v.length; ++i) message[i] = message_of(v)[i];
  const auto turn = [](std::uint8_t* bytes, std::size_t bit) {
    if (bit != k_none) bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1u << bit % 8));
  };
  turn(turned.key.data(), key_bit);
  turn(message, message_bit);
  turn(turned.signature.data(), signature_bit);
  const VerifyHook hook = ed25519_hook(turned.key);
  return hook.verify(hook.context, message, v.length, turned.signature.data(), turned.signature.size());
}

void a_hook_refuses_every_turned_bit_and_every_other_size() {
  const Ed25519Case& v = vectors::k_ed25519[2];  // two bytes
  constexpr std::size_t k_none = ~std::size_t{0};
  TEST_ASSERT_TRUE(hook_accepts(v, k_none, k_none, k_none));
  for (std::size_t bit = 0; bit < 16; ++bit) TEST_ASSERT_FALSE(hook_accepts(v, k_none, bit, k_none));
  for (std::size_t bit = 0; bit < 256; bit += 37) TEST_ASSERT_FALSE(hook_accepts(v, bit, k_none, k_none));
  for (std::size_t bit = 0; bit < 512; bit += 37) TEST_ASSERT_FALSE(hook_accepts(v, k_none, k_none, bit));
  TEST_ASSERT_FALSE(hook_accepts(v, 255, k_none, k_none));
  TEST_ASSERT_FALSE(hook_accepts(v, k_none, k_none, 255));
  TEST_ASSERT_FALSE(hook_accepts(v, k_none, k_none, 511));
  const VerifyHook hook = ed25519_hook(v.key);
  for (const std::size_t size : {std::size_t{0}, std::size_t{63}, std::size_t{65}, std::size_t{96}})
    TEST_ASSERT_FALSE(hook.verify(hook.context, message_of(v).data(), v.length, v.signature.data(), size));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_verdict_is_the_references);
  RUN_TEST(a_hook_refuses_every_turned_bit_and_every_other_size);
  return UNITY_END();
}
