// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Projections by signs on small cases, and the same bits on every target.
#include "sotto/local/sign_projection.hpp"

#include "result_digest.hpp"
#include "sign_column.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_features_here_max = 150;
constexpr std::uint8_t k_seed[32] = {3, 1, 4};
constexpr CoinLabel k_label{k_seed, 0, 7};
Q15 numbers[k_features_here_max];
std::int32_t z[256], again[256];
std::int8_t signs[256];

Samples mapped(std::uint32_t features) { return {1, features, numbers, features, nullptr, nullptr}; }
bool read_numbers(void*, std::uint32_t, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = numbers[first + i];
  return true;
}
Samples hooked(std::uint32_t features) { return {1, features, nullptr, 0, nullptr, read_numbers}; }

std::uint32_t feature_of_one;
bool read_one(void*, std::uint32_t, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = first + i == feature_of_one ? Q15{-32768} : Q15{0};
  return true;
}

void one_feature_gives_its_column_of_the_coins_that_the_header_names() {
  for (const std::size_t p : {16u, 64u, 256u}) {
    for (const std::uint32_t i : {0u, 1u, 5u, 149u, 65534u}) {
      feature_of_one = i;
      sign_project(k_label, {1, i + 1, nullptr, 0, nullptr, read_one}, 0, {z, p});
      sign_column(k_label, i, {signs, p});
      const std::int32_t size = p == 16 ? 1 << 22 : p == 64 ? 1 << 21 : 1 << 20;  // 1/sqrt(p)
      for (std::size_t j = 0; j < p; ++j) TEST_ASSERT_EQUAL_INT32(-signs[j] * size, z[j]);
    }
  }
}

void rounding_is_to_nearest_and_away_from_zero_at_halves() {
  numbers[0] = 1;  // 2^9 / sqrt(p) in Q24: 181.02 for p = 8, 45.25 for 128
  sign_project(k_label, mapped(1), 0, {z, 8});
  for (int j = 0; j < 8; ++j) TEST_ASSERT_EQUAL_INT32(181, z[j] < 0 ? -z[j] : z[j]);
  numbers[0] = 2;  // 90.51
  sign_project(k_label, mapped(1), 0, {z, 128});
  for (int j = 0; j < 128; ++j) TEST_ASSERT_EQUAL_INT32(91, z[j] < 0 ? -z[j] : z[j]);
}

// All of 65535 features at the end of the range, each with the sign that makes the first sum largest: nothing wraps.
bool read_worst(void*, std::uint32_t, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    sign_column(k_label, first + i, {signs, 8});
    out[i] = signs[0] < 0 ? Q15{-32768} : Q15{32767};
  }
  return true;
}

void the_longest_row_saturates() {
  const Samples worst{1, k_features_max, nullptr, 0, nullptr, read_worst};
  sign_project(k_label, worst, 0, {z, 8});
  TEST_ASSERT_EQUAL_INT32(0x7fffffff, z[0]);
}

void a_row_that_is_not_held_gives_zeros() {
  z[0] = 5;
  sign_project(k_label, mapped(9), 1, {z, 8});
  for (int j = 0; j < 8; ++j) TEST_ASSERT_EQUAL_INT32(0, z[j]);
}

void all_devices_share_the_signs() {
  for (Q15& x : numbers) x = 100;
  const CoinLabel other{k_seed, 99, 7}, later{k_seed, 0, 8};
  sign_project(k_label, mapped(9), 0, {z, 8});
  sign_project(other, mapped(9), 0, {again, 8});
  TEST_ASSERT_EQUAL_INT32_ARRAY(z, again, 8);
  sign_project(later, mapped(9), 0, {again, 8});
  bool same = true;
  for (int j = 0; j < 8; ++j) same = same && z[j] == again[j];
  TEST_ASSERT_FALSE(same);
}

void every_target_and_both_readers_give_the_same_bits() {
  SeededEntropy seeded{8};
  ResultDigest digest;
  for (std::uint32_t n = 0; n < 24; ++n) {
    const std::uint32_t features = 1 + seeded.word() % k_features_here_max;
    const std::size_t p = 8 * (1 + seeded.word() % 32);
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    sign_project(k_label, mapped(features), 0, {z, p});
    sign_project(k_label, hooked(features), 0, {again, p});
    TEST_ASSERT_EQUAL_INT32_ARRAY(z, again, static_cast<std::uint32_t>(p));
    digest.add({z, p});
  }
  digest.expect("be14a415aa1e51fdee6edf09a0302df0eb4b689d357205258c8b803d4f46eb38");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(one_feature_gives_its_column_of_the_coins_that_the_header_names);
  RUN_TEST(rounding_is_to_nearest_and_away_from_zero_at_halves);
  RUN_TEST(the_longest_row_saturates);
  RUN_TEST(a_row_that_is_not_held_gives_zeros);
  RUN_TEST(all_devices_share_the_signs);
  RUN_TEST(every_target_and_both_readers_give_the_same_bits);
  return UNITY_END();
}
