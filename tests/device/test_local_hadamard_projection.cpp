// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Subsampled Hadamard projections on small cases, and the same bits on every target.
#include "sotto/local/hadamard_projection.hpp"

#include "result_digest.hpp"
#include "sotto/masks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_features_here_max = 300, k_block_max = 512;
constexpr std::uint8_t k_seed[32] = {3, 1, 4};
constexpr CoinLabel k_label{k_seed, 0, 7};
Q15 numbers[k_features_here_max];
std::int32_t z[256], again[256];
std::int8_t signs[256];
std::byte work[hadamard_project_work_bytes(k_block_max)];

Samples mapped(std::uint32_t features) { return {1, features, numbers, features, nullptr, nullptr}; }
bool read_numbers(void*, std::uint32_t, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t i = 0; i < count; ++i) out[i] = numbers[first + i];
  return true;
}
Samples hooked(std::uint32_t features) { return {1, features, nullptr, 0, nullptr, read_numbers}; }

// The header's words, one after the other, with a list of what was taken.
void an_entry_follows_from_the_coins_that_the_header_names() {
  constexpr std::uint32_t k_block = 64, k_p = 40;
  for (const std::uint32_t feature : {0u, 63u, 64u, 1000u, 65534u}) {
    PublicCoins coins{k_label, CoinPurpose::shared_projection};
    coins.seek((1u << 31) + 4 * (feature / k_block) * (k_block / 32 + k_p));
    std::uint32_t flips[2] = {coins.word(), 0};
    flips[1] = coins.word();
    const std::uint32_t at = feature % k_block;
    std::uint32_t taken[k_p];
    TEST_ASSERT_EQUAL_UINT8(Status::ok, hadamard_projection_column(k_label, k_block, feature, work, {signs, k_p}));
    for (std::uint32_t j = 0; j < k_p; ++j) {
      const std::uint32_t word = coins.word(), t = k_block - k_p + j;
      taken[j] = static_cast<std::uint32_t>((std::uint64_t{word} * (t + 1)) >> 32);
      for (std::uint32_t k = 0; k < j; ++k) {
        if (taken[k] == taken[j]) {
          taken[j] = t;
          break;
        }
      }
      const std::uint32_t odd = (parity(at & taken[j]) + (flips[at / 32] >> (at % 32)) + word) & 1u;
      TEST_ASSERT_EQUAL_INT8(odd != 0 ? -1 : 1, signs[j]);
    }
    for (std::uint32_t j = 0; j < k_p; ++j) {
      for (std::uint32_t k = 0; k < j; ++k) TEST_ASSERT_TRUE(taken[j] != taken[k]);
    }
  }
}

void one_feature_gives_its_column() {
  for (Q15& x : numbers) x = 0;
  for (const std::uint32_t feature : {0u, 31u, 63u, 64u, 299u}) {
    numbers[feature] = -32768;
    hadamard_project(k_label, 64, mapped(300), 0, work, {z, 64});
    TEST_ASSERT_EQUAL_UINT8(Status::ok, hadamard_projection_column(k_label, 64, feature, work, {signs, 64}));
    for (int j = 0; j < 64; ++j) TEST_ASSERT_EQUAL_INT32(-signs[j] * (1 << 21), z[j]);
    numbers[feature] = 0;
  }
}

void all_coordinates_of_one_block_keep_the_length() {
  SeededEntropy seeded{4};
  for (Q15& x : numbers) x = seeded_q15(seeded, 1);
  hadamard_project(k_label, 64, mapped(50), 0, work, {z, 64});
  std::int64_t before = 0, after = 0;
  for (int i = 0; i < 50; ++i) before += std::int64_t{numbers[i]} * numbers[i];
  for (int j = 0; j < 64; ++j) after += std::int64_t{z[j]} * z[j];
  TEST_ASSERT_TRUE(after == before << 18);  // 1/8 divides exactly: no rounding at all
}

// Blocks of one feature each, all in the first place, where the transform alone would give every output the same sum.
void blocks_get_signs_of_their_own() {
  for (Q15& x : numbers) x = 0;
  numbers[0] = numbers[32] = 16384;
  hadamard_project(k_label, 32, mapped(64), 0, work, {z, 32});
  int zeros = 0;
  for (int j = 0; j < 32; ++j) zeros += z[j] == 0 ? 1 : 0;
  TEST_ASSERT_TRUE(zeros > 4 && zeros < 28);
}

void a_row_that_is_not_held_gives_zeros() {
  z[0] = 5;
  hadamard_project(k_label, 32, mapped(9), 1, work, {z, 8});
  for (int j = 0; j < 8; ++j) TEST_ASSERT_EQUAL_INT32(0, z[j]);
}

void public_mistakes_are_refused_and_leave_the_output() {
  signs[0] = 5;
  const auto status = [](std::uint32_t block, std::uint32_t features, std::size_t p, std::size_t bytes) {
    return hadamard_projection_column(k_label, block, features - 1, {work, bytes}, {signs, p});
  };
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(16, 9, 8, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(48, 9, 8, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(8192, 9, 8, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(32, 9, 40, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(32, 9, 0, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(32, 9, 12, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(32, 0, 8, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::bad_dimension, status(32, 65536, 8, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(Status::short_buffer, status(64, 9, 8, hadamard_project_work_bytes(64) - 1));
  TEST_ASSERT_EQUAL_INT8(5, signs[0]);
}

void every_target_and_both_readers_give_the_same_bits() {
  SeededEntropy seeded{9};
  ResultDigest digest;
  for (std::uint32_t n = 0; n < 24; ++n) {
    const std::uint32_t features = 1 + seeded.word() % k_features_here_max, block = 32u << (seeded.word() % 5);
    const std::size_t p = 8 * (1 + seeded.word() % ((block < 256 ? block : 256) / 8));
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    hadamard_project(k_label, block, mapped(features), 0, work, {z, p});
    hadamard_project(k_label, block, hooked(features), 0, work, {again, p});
    TEST_ASSERT_EQUAL_INT32_ARRAY(z, again, static_cast<std::uint32_t>(p));
    digest.add({z, p});
  }
  digest.expect("4d5c46f14c76bd9a3f4336cd8b08f00c0bedeb143f57f0e5c8f7dd25caaa10e9");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(an_entry_follows_from_the_coins_that_the_header_names);
  RUN_TEST(one_feature_gives_its_column);
  RUN_TEST(all_coordinates_of_one_block_keep_the_length);
  RUN_TEST(blocks_get_signs_of_their_own);
  RUN_TEST(a_row_that_is_not_held_gives_zeros);
  RUN_TEST(public_mistakes_are_refused_and_leave_the_output);
  RUN_TEST(every_target_and_both_readers_give_the_same_bits);
  return UNITY_END();
}
