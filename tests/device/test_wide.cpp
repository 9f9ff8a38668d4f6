// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Wide integer arithmetic at its edges, and against identities on random numbers.
#include "sotto/wide.hpp"

#include "seeded_entropy.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint64_t k_all = ~std::uint64_t{0};

std::uint64_t random64(SeededEntropy& random) {
  const std::uint64_t low = random.word();
  // Of every bit length, not only of 64.
  return (low | std::uint64_t{random.word()} << 32) >> (random.word() & 63u);
}

void products_of_32_bits_are_exact() {
  TEST_ASSERT_EQUAL_HEX64(0xfffffffe00000001u, multiply_32(0xffffffffu, 0xffffffffu));
  TEST_ASSERT_EQUAL_HEX64(0, multiply_32(0, 0xffffffffu));
  SeededEntropy random{1};
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t a = random.word(), b = random.word();
    TEST_ASSERT_EQUAL_HEX64(std::uint64_t{a} * b, multiply_32(a, b));
  }
}

void the_largest_product_of_64_bits_is_exact() {
  const U128 p = multiply_wide(k_all, k_all);
  TEST_ASSERT_EQUAL_HEX64(k_all - 1, p.high);
  TEST_ASSERT_EQUAL_HEX64(1, p.low);
}

void products_of_64_bits_agree_modulo_two_numbers() {
  // Modulo 2^64 and modulo 2^32 - 1 (a sum of digits): together they pin all but a multiple of both.
  SeededEntropy random{2};
  const auto digits = [](std::uint64_t v) { return ((v >> 32) + (v & 0xffffffffu)) % 0xffffffffu; };
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t a = random64(random), b = random64(random);
    const U128 p = multiply_wide(a, b);
    TEST_ASSERT_EQUAL_HEX64(a * b, p.low);
    TEST_ASSERT_EQUAL_HEX64(digits(a) * digits(b) % 0xffffffffu, (digits(p.high) + digits(p.low)) % 0xffffffffu);
    TEST_ASSERT_EQUAL_HEX64(p.high + (p.low != 0 ? 1u : 0u), multiply_high_ceil(a, b));
  }
}

void the_ceiling_is_exact_where_nothing_is_cut_off() {
  TEST_ASSERT_EQUAL_HEX64(1, multiply_high_ceil(std::uint64_t{1} << 32, std::uint64_t{1} << 32));
  TEST_ASSERT_EQUAL_HEX64(1, multiply_high_ceil(1, 1));
  TEST_ASSERT_EQUAL_HEX64(0, multiply_high_ceil(0, k_all));
}

void quotients_are_floors() {
  TEST_ASSERT_EQUAL_HEX64(k_all, divide_floor(k_all, 1));
  TEST_ASSERT_EQUAL_HEX64(0, divide_floor(0, 5));
  TEST_ASSERT_EQUAL_HEX64(0, divide_floor(4, 5));
  TEST_ASSERT_EQUAL_HEX64(2, divide_floor(k_all, (std::uint64_t{1} << 63) - 1));
  TEST_ASSERT_EQUAL_HEX32(0xffffffffu, divide_floor_32(0xffffffffu, 1));
  TEST_ASSERT_EQUAL_HEX32(2, divide_floor_32(0xffffffffu, 0x7fffffffu));
  SeededEntropy random{3};
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t n = random64(random), d = (random64(random) >> 1) | 1u;
    TEST_ASSERT_EQUAL_HEX64(n / d, divide_floor(n, d));
    const auto n32 = static_cast<std::uint32_t>(n), d32 = static_cast<std::uint32_t>(d >> 32) | 1u;
    TEST_ASSERT_EQUAL_HEX32(n32 / d32, divide_floor_32(n32, d32));
  }
}

template <class Word>
void expect_root(Word n) {
  const std::uint64_t r = root_floor(n);
  TEST_ASSERT_TRUE(r * r <= n);
  TEST_ASSERT_TRUE(r == 0xffffffffu || (r + 1) * (r + 1) > n);
}

void roots_are_floors() {
  TEST_ASSERT_EQUAL_UINT32(0xffffffffu, root_floor(k_all));
  TEST_ASSERT_EQUAL_UINT32(0xffffu, root_floor(0xffffffffu + std::uint32_t{0}));
  SeededEntropy random{4};
  for (std::uint32_t i = 0; i < 300; ++i) {
    expect_root(random64(random));
    expect_root(random.word() >> (i & 31u));
    const std::uint64_t r = random.word();
    TEST_ASSERT_EQUAL_UINT32(r, root_floor(r * r));
    TEST_ASSERT_EQUAL_UINT32(r, root_floor(r * r + 2 * r));  // the last number before the next square
  }
}

void bit_lengths_are_counted() {
  TEST_ASSERT_EQUAL_UINT32(0, bit_length(0));
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    TEST_ASSERT_EQUAL_UINT32(bits, bit_length(k_all >> (64 - bits)));
    TEST_ASSERT_EQUAL_UINT32(bits, bit_length(std::uint64_t{1} << (bits - 1)));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(products_of_32_bits_are_exact);
  RUN_TEST(the_largest_product_of_64_bits_is_exact);
  RUN_TEST(products_of_64_bits_agree_modulo_two_numbers);
  RUN_TEST(the_ceiling_is_exact_where_nothing_is_cut_off);
  RUN_TEST(quotients_are_floors);
  RUN_TEST(roots_are_floors);
  RUN_TEST(bit_lengths_are_counted);
  return UNITY_END();
}
