// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Random Fourier features and their cosine on small cases, and the same bits on every target.
#include "sotto/local/fourier.hpp"

#include "result_digest.hpp"
#include "sotto/local/cosine.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_features_here_max = 70;
constexpr std::uint8_t k_seed[32] = {3, 1, 4};
constexpr FourierSpec k_spec{{k_seed, 0, 7}, 1u << 16};
Q15 numbers[k_features_here_max];
std::int32_t z[256], again[256];

Samples mapped(std::uint32_t features) { return {1, features, numbers, features, nullptr, nullptr}; }
bool read_numbers(void*, std::uint32_t, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = numbers[first + i];
  return true;
}
Samples hooked(std::uint32_t features) { return {1, features, nullptr, 0, nullptr, read_numbers}; }

void the_cosine_knows_its_corners() {
  TEST_ASSERT_INT32_WITHIN(16, 1 << 24, cosine_q24(0));
  TEST_ASSERT_EQUAL_INT32(0, cosine_q24(1u << 30));
  TEST_ASSERT_EQUAL_INT32(0, cosine_q24(3u << 30));
  TEST_ASSERT_INT32_WITHIN(16, -(1 << 24), cosine_q24(1u << 31));
  TEST_ASSERT_INT32_WITHIN(16, 1 << 23, cosine_q24(715827883));  // a sixth of a turn
  TEST_ASSERT_INT32_WITHIN(16, 11863283, cosine_q24(1u << 29));  // sqrt(1/2)
}

void the_cosine_is_even_and_half_a_turn_changes_its_sign() {
  SeededEntropy seeded{2};
  for (int n = 0; n < 2000; ++n) {
    const std::uint32_t t = seeded.word();
    TEST_ASSERT_EQUAL_INT32(cosine_q24(t), cosine_q24(0u - t));
    TEST_ASSERT_EQUAL_INT32(cosine_q24(t), -cosine_q24(t + (1u << 31)));
    TEST_ASSERT_TRUE(cosine_q24(t) <= 1 << 24);
  }
}

void features_follow_from_the_coins_that_the_header_names() {
  constexpr std::uint32_t k_p = 64;  // sqrt(2/p) is not a power of two; within 2^-24 of the factor's rounding
  numbers[0] = -32768, numbers[1] = 32767, numbers[2] = 1234;
  fourier_features(k_spec, mapped(3), 0, {z, k_p});
  PublicCoins coins{k_spec.label, CoinPurpose::shared_fourier};
  const FourierScale scale = fourier_scale(k_spec.inverse_bandwidth_q16);
  for (std::uint32_t j = 0; j < k_p; ++j) {
    coins.seek(4 * j);
    std::uint32_t angle = coins.word();
    for (std::uint32_t i = 0; i < 3; ++i) {
      coins.seek(4 * k_p + 2 * (i * k_p + j));
      std::uint32_t bytes = coins.byte();
      bytes |= std::uint32_t{coins.byte()} << 8;
      angle += static_cast<std::uint32_t>(fourier_weight(scale, bytes)) * static_cast<std::uint32_t>(numbers[i]);
    }
    const std::int64_t exact = std::int64_t{cosine_q24(angle)} * 379625062;  // 2^31 sqrt(2/64)
    TEST_ASSERT_INT32_WITHIN(1, static_cast<std::int32_t>(exact >> 31), z[j]);
  }
}

void weights_are_antisymmetric_and_bounded_at_every_bandwidth() {
  for (std::uint32_t inverse = k_inverse_bandwidth_q16_min; inverse <= k_inverse_bandwidth_q16_max; inverse *= 4) {
    const FourierScale scale = fourier_scale(inverse);
    TEST_ASSERT_TRUE(scale.multiplier >= 1 << 15 && scale.multiplier <= 1 << 16);
    TEST_ASSERT_TRUE(scale.shift >= 7 && scale.shift <= 19);
    // 4.352 standard deviations of 2^17 / (2 pi h), h = 2^16 / inverse.
    TEST_ASSERT_INT32_WITHIN(static_cast<std::int32_t>(inverse >> 15) + 2,
                             static_cast<std::int32_t>((std::uint64_t{inverse} * 90781) >> 16),
                             fourier_weight(scale, 0x7f7f));
    for (std::uint32_t c = 0; c < 65536; c += 257 * 7) {
      TEST_ASSERT_INT32_WITHIN(1, fourier_weight(scale, c), -fourier_weight(scale, c ^ 0x8080u));
    }
  }
}

void a_row_that_is_not_held_counts_as_zeros() {
  for (Q15& x : numbers) x = 0;
  fourier_features(k_spec, mapped(5), 0, {z, 8});
  fourier_features(k_spec, mapped(5), 1, {again, 8});
  TEST_ASSERT_EQUAL_INT32_ARRAY(z, again, 8);
}

void every_target_and_both_readers_give_the_same_bits() {
  SeededEntropy seeded{10};
  ResultDigest digest;
  for (std::uint32_t n = 0; n < 16; ++n) {
    const std::uint32_t features = 1 + seeded.word() % k_features_here_max;
    const std::size_t p = 8 * (1 + seeded.word() % 32);
    const std::uint32_t span = k_inverse_bandwidth_q16_max - k_inverse_bandwidth_q16_min;
    const FourierSpec spec{k_spec.label, k_inverse_bandwidth_q16_min + seeded.word() % (span >> (n & 7u))};
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    fourier_features(spec, mapped(features), 0, {z, p});
    fourier_features(spec, hooked(features), 0, {again, p});
    TEST_ASSERT_EQUAL_INT32_ARRAY(z, again, static_cast<std::uint32_t>(p));
    digest.add({z, p});
  }
  for (int n = 0; n < 2000; ++n) digest.add(cosine_q24(seeded.word()));
  digest.expect("575f1f7f651181417a4c32187bf093472ab700db3d4ae53a55e6ff0fe4cc2690");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_cosine_knows_its_corners);
  RUN_TEST(the_cosine_is_even_and_half_a_turn_changes_its_sign);
  RUN_TEST(features_follow_from_the_coins_that_the_header_names);
  RUN_TEST(weights_are_antisymmetric_and_bounded_at_every_bandwidth);
  RUN_TEST(a_row_that_is_not_held_counts_as_zeros);
  RUN_TEST(every_target_and_both_readers_give_the_same_bits);
  return UNITY_END();
}
