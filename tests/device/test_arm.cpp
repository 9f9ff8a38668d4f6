// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What runs on this core against the C++ that defines it: at the edges of every range, and on random numbers. On cores for which
// there is no assembly the two are the same function, or two versions of it in C++.
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../device/src/local/column_ops.hpp"
#include "../../device/src/local/column_sums.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arm/add_product.hpp"
#include "sotto/arm/chacha_block.hpp"
#include "sotto/arm/divide.hpp"
#include "sotto/arm/multiply.hpp"
#include "sotto/arm/rows.hpp"
#include "sotto/arm/sha256_constants.hpp"
#include "sotto/chacha.hpp"
#include "sotto/masks.hpp"
#include "support/seeded_entropy.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr int k_draws = 2000;
constexpr std::uint32_t k_edges[] = {0,       1,       2,          0x7fff,      0x8000,      0xffff,
                                     0x10000, 0x10001, 0x7fffffff, 0x80000000u, 0xfffffffeu, 0xffffffffu};

/// A number whose size is random, too: small ones are where carries and signs go wrong.
std::uint32_t any_word(SeededEntropy& from) { return from.word() >> (from.word() & 31u); }
std::uint64_t any_long(SeededEntropy& from) {
  const std::uint64_t high = any_word(from);
  return high << 32 | any_word(from);
}

void expect_same_mask(std::uint32_t a, std::uint32_t b) {
  TEST_ASSERT_EQUAL_HEX32(portable::mask_less(a, b), mask_less(a, b));
}

void masks_of_less_agree() {
  for (const std::uint32_t a : k_edges) {
    for (const std::uint32_t b : k_edges) expect_same_mask(a, b);
  }
  SeededEntropy random{1};
  for (int i = 0; i < k_draws; ++i) {
    const std::uint32_t a = any_word(random);
    expect_same_mask(a, any_word(random));
    expect_same_mask(a, a + 1);
  }
}

void expect_same_product(std::uint64_t sum, std::uint32_t a, std::uint32_t b) {
  TEST_ASSERT_TRUE(portable::multiply_add(sum, a, b) == multiply_add(sum, a, b));
}

void long_products_agree() {
  for (const std::uint32_t a : k_edges) {
    for (const std::uint32_t b : k_edges) {
      for (const std::uint32_t s : k_edges) expect_same_product(std::uint64_t{s} << 32 | (s ^ a), a, b);
    }
  }
  SeededEntropy random{2};
  for (int i = 0; i < k_draws; ++i) {
    const std::uint64_t sum = any_long(random);
    const std::uint32_t a = any_word(random);
    expect_same_product(sum, a, any_word(random));
  }
}

void expect_same_upper_half(std::uint64_t a, std::uint64_t b) {
  TEST_ASSERT_TRUE(portable::multiply_high_ceil(a, b) == multiply_high_ceil(a, b));
}

void upper_halves_of_products_agree() {
  for (const std::uint32_t high : k_edges) {
    for (const std::uint32_t low : k_edges) {
      const std::uint64_t a = std::uint64_t{high} << 32 | low;
      for (const std::uint32_t b : k_edges) {
        expect_same_upper_half(a, std::uint64_t{b} << 32);  // exact: nothing is lost
        expect_same_upper_half(a, std::uint64_t{b} << 32 | low);
        expect_same_upper_half(a, b);
      }
    }
  }
  SeededEntropy random{3};
  for (int i = 0; i < k_draws; ++i) {
    const std::uint64_t a = any_long(random);
    expect_same_upper_half(a, any_long(random));
  }
}

void expect_same_step(std::uint32_t word, std::uint32_t carry, std::uint32_t a, std::uint32_t b) {
  std::uint32_t expected[2] = {word, carry}, got[2] = {word, carry};
  portable::add_product(expected[0], expected[1], a, b);
  add_product(got[0], got[1], a, b);
  TEST_ASSERT_EQUAL_HEX32_ARRAY(expected, got, 2);
}

void steps_of_long_numbers_agree() {
  for (const std::uint32_t word : k_edges) {
    for (const std::uint32_t carry : k_edges) {
      for (const std::uint32_t a : k_edges) expect_same_step(word, carry, a, 0xffffffffu);
    }
  }
  SeededEntropy random{4};
  for (int i = 0; i < k_draws; ++i) {
    const std::uint32_t word = any_word(random), carry = any_word(random), a = any_word(random);
    expect_same_step(word, carry, a, any_word(random));
  }
}

void blocks_of_chacha_agree() {
  SeededEntropy random{5};
  for (int i = 0; i < 40; ++i) {
    std::uint32_t key[12], start[16], expected[16], got[16];
    for (std::uint32_t& word : key) word = i < 2 ? 0u - static_cast<std::uint32_t>(i) : random.word();
    const ChachaRounds rounds = i % 2 == 0 ? ChachaRounds::public_coins : ChachaRounds::private_coins;
    portable::chacha_block(key, static_cast<std::uint32_t>(rounds), expected, start);
    chacha_block(key, rounds, got);
    TEST_ASSERT_EQUAL_HEX32_ARRAY(expected, got, 16);
    for (int j = 0; j < 12; ++j) got[j] = key[j];
    chacha_block(got, rounds, got);  // in place of its key
    TEST_ASSERT_EQUAL_HEX32_ARRAY(expected, got, 16);
#if defined(SOTTO_CHACHA_IN_ASSEMBLY)
    arm::chacha_block(key, static_cast<std::uint32_t>(rounds), got, start);
    for (const std::uint32_t word : start) TEST_ASSERT_EQUAL_HEX32(0, word);
#endif
  }
}

void constants_of_sha256_agree() {
  static constexpr auto k_expected = [] {
    std::array<std::uint32_t, 64> constants{};
    portable::sha256_constants(constants.data());
    return constants;
  }();
  std::uint32_t got[64];
  sha256_constants(got);
  TEST_ASSERT_EQUAL_HEX32_ARRAY(k_expected.data(), got, 64);
}

void expect_same_quotient(std::uint64_t n, std::uint64_t d) {
  if (d == 0 || d >> 63 != 0) return;
  TEST_ASSERT_TRUE(n / d == divide_floor(n, d));
  TEST_ASSERT_TRUE(n / d == portable::divide_floor(n, d));
}

void quotients_agree() {
  for (const std::uint32_t high : k_edges) {
    for (const std::uint32_t low : k_edges) {
      const std::uint64_t n = std::uint64_t{high} << 32 | low;
      for (const std::uint32_t d : k_edges) {
        expect_same_quotient(n, d);
        expect_same_quotient(n, std::uint64_t{d} << 31 | low);
      }
    }
  }
  SeededEntropy random{9};
  for (int i = 0; i < k_draws; ++i) {
    const std::uint64_t n = any_long(random);
    expect_same_quotient(n, any_long(random));
  }
}

constexpr std::int16_t k_sample_edges[] = {-32768, -32767, -1, 0, 1, 2, 32766, 32767};
constexpr std::int32_t k_number_edges[] = {-(1 << 30) + 1, -65537, -65536, -32769, -32768,       -1, 0, 1,
                                           32767,          32768,  65535,  65536,  (1 << 30) - 1};

/// Below 2^30 in size.
std::int32_t any_number(SeededEntropy& from) {
  return static_cast<std::int32_t>(from.word()) >> (2 + (from.word() & 15u));
}

void expect_same_products(std::int32_t sum, std::int16_t x, std::int32_t v) {
  TEST_ASSERT_EQUAL_INT32(portable::add_product_floor(sum, x, v), add_product_floor(sum, x, v));
  std::int32_t r[1] = {sum};
  subtract_rows(&x, 1, v, r, 1);
  TEST_ASSERT_EQUAL_INT32(portable::subtract_product(sum, x, v), r[0]);
}

void products_with_samples_agree() {
  for (const std::int16_t x : k_sample_edges) {
    for (const std::int32_t v : k_number_edges) {
      for (const std::int32_t sum : {-1, 0, 1 << 29}) expect_same_products(sum, x, v);
    }
  }
  SeededEntropy random{6};
  for (int i = 0; i < k_draws; ++i) {
    const std::int32_t sum = any_number(random);
    const auto x = static_cast<std::int16_t>(random.word());
    expect_same_products(sum, x, any_number(random));
  }
}

/// So many rows, every `stride`-th number of x; the residual within sqrt(rows), as in Descent.
void expect_same_rows(std::uint32_t rows, std::size_t stride, std::uint64_t seed) {
  static std::int16_t x[3 * k_chunk_max];
  static std::int32_t expected[k_chunk_max + 1], got[k_chunk_max + 1];
  SeededEntropy random{seed};
  const std::uint32_t kind = random.word() % 3;
  for (std::int16_t& sample : x) {
    const auto any = static_cast<std::int16_t>(random.word());
    sample = kind == 0 ? any : kind == 1 ? std::int16_t{-32768} : k_sample_edges[random.word() % 8];
  }
  for (std::int32_t& r : got) {
    constexpr std::int32_t k_one = 1 << 24;
    r = kind == 1 ? -k_one : static_cast<std::int32_t>(random.word()) >> 7;
  }
  TEST_ASSERT_TRUE(portable::dot_rows(x, stride, got, rows) == dot_rows(x, stride, got, rows));
  for (std::uint32_t i = 0; i <= k_chunk_max; ++i) expected[i] = got[i];
  const std::int32_t step = any_number(random);
  portable::subtract_rows(x, stride, step, expected, rows);
  subtract_rows(x, stride, step, got, rows);
  TEST_ASSERT_EQUAL_INT32_ARRAY(expected, got, k_chunk_max + 1);  // and nothing behind the last row
}

void rows_agree() {
  for (std::uint32_t rows = 0; rows <= k_chunk_max; ++rows) {
    for (const std::size_t stride : {1u, 2u, 3u}) expect_same_rows(rows, stride, 3 * rows + stride);
  }
}

/// So many rows, every `stride`-th number of x, added to the sums of other rows.
void expect_same_sums(std::uint32_t rows, std::size_t stride, SeededEntropy& random) {
  constexpr std::uint32_t k_most = 20;
  std::int16_t x[3 * k_most], weight[k_most];
  const bool edges = random.word() % 2 == 0;
  for (std::int16_t& v : x) v = edges ? k_sample_edges[random.word() % 8] : static_cast<std::int16_t>(random.word());
  for (std::int16_t& v : weight)
    v = edges ? k_sample_edges[random.word() % 8] : static_cast<std::int16_t>(random.word());
  ColumnSums expected{any_number(random), any_word(random), any_number(random) >> 6}, got = expected;
  if (random.word() % 2 == 0) {
    expected.low = got.low = static_cast<std::int16_t>(random.word() % 100 - 200);
    expected.high = got.high = static_cast<std::int16_t>(random.word() % 100 + 200);
  }
  portable::add_own_rows(x, stride, weight, rows, expected);
  add_rows(x, stride, std::span{weight}.first(rows), true, got);
  TEST_ASSERT_TRUE(expected.product == got.product);
  TEST_ASSERT_TRUE(expected.square == got.square);
  TEST_ASSERT_EQUAL_INT32(expected.sum, got.sum);
  TEST_ASSERT_EQUAL_INT16(expected.low, got.low);
  TEST_ASSERT_EQUAL_INT16(expected.high, got.high);
}

void sums_of_columns_agree() {
  SeededEntropy random{7};
  for (std::uint32_t rows = 0; rows <= 20; ++rows) {
    for (int i = 0; i < 20; ++i) expect_same_sums(rows, 1 + random.word() % 3, random);
  }
}

/// One reading is far, or none; and any readings whatever.
void rows_before_a_far_reading_agree() {
  SeededEntropy random{8};
  std::int16_t x[3 * 16];
  for (int i = 0; i < k_draws; ++i) {
    const std::uint32_t rows = 1 + random.word() % 16, stride = 1 + random.word() % 3;
    const std::int32_t low = i % 4 == 0 ? k_sample_edges[random.word() % 8] : static_cast<std::int16_t>(random.word());
    const auto room = static_cast<std::uint32_t>(32767 - low);
    const std::uint32_t any = any_word(random), span = i % 4 == 1 || any > room ? room : any;
    for (std::int16_t& v : x) {
      const bool near = i % 3 != 0;
      v = static_cast<std::int16_t>(near ? low + static_cast<std::int32_t>(random.word() % (span + 1))
                                         : static_cast<std::int32_t>(random.word()));
    }
    if (i % 3 == 1) x[random.word() % rows * stride] = static_cast<std::int16_t>(random.word());
    TEST_ASSERT_EQUAL_UINT32(portable::rows_within(x, stride, rows, low, span),
                             rows_within(x, stride, rows, low, span));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(masks_of_less_agree);
  RUN_TEST(long_products_agree);
  RUN_TEST(upper_halves_of_products_agree);
  RUN_TEST(steps_of_long_numbers_agree);
  RUN_TEST(blocks_of_chacha_agree);
  RUN_TEST(constants_of_sha256_agree);
  RUN_TEST(quotients_agree);
  RUN_TEST(products_with_samples_agree);
  RUN_TEST(rows_agree);
  RUN_TEST(sums_of_columns_agree);
  RUN_TEST(rows_before_a_far_reading_agree);
  return UNITY_END();
}
