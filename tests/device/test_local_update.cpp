// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Federated updates: a step by hand, and the same bits on every target.
#include "sotto/local/update.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 20, k_features = 48, k_keep = 6;
constexpr std::int32_t k_one = 1 << 24;
Q15 numbers[k_rows * (k_features + 1)];
std::byte work[update_work_bytes(k_keep) + gradient_work_bytes(RowUnits::stated, true, k_rows)];
std::int32_t difference[k_features];

void one_step_keeps_the_largest_and_drops_what_the_model_had() {
  const Q15 row[4] = {16384, -8192, 0, 16384};  // x = (1/2, -1/4, 0), y = 1/2
  const Samples samples{1, 3, row, 4, nullptr, nullptr};
  const std::uint16_t feature[1] = {2};
  const std::int32_t value[1] = {k_one / 16};
  UpdateSpec spec{{{}, 1, k_one}, 1, 1, k_one, 4u << 24};
  // The gradient at (0, 0, 1/16) is (-1/4, 1/8, 0): theta becomes (1/4, -1/8, 1/16), of which the first stays.
  update(spec, samples, {feature, value}, work, {difference, 3});
  TEST_ASSERT_EQUAL_INT32(k_one / 4, difference[0]);
  TEST_ASSERT_EQUAL_INT32(0, difference[1]);
  TEST_ASSERT_EQUAL_INT32(-k_one / 16, difference[2]);
  spec.radius_q24 = k_one / 16;
  update(spec, samples, {feature, value}, work, {difference, 3});
  TEST_ASSERT_INT32_WITHIN(2, 1017268, difference[0]);  // 4/sqrt(17) of the radius
  TEST_ASSERT_INT32_WITHIN(2, -254317, difference[2]);
}

void every_target_gives_the_same_bits() {
  SeededEntropy seeded{7};
  ResultDigest digest;
  std::uint16_t feature[4];
  std::int32_t value[4];
  for (std::uint32_t n = 0; n < 16; ++n) {
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    for (int k = 0; k < 4; ++k) {
      feature[k] = static_cast<std::uint16_t>(seeded.word() % k_features);
      value[k] = static_cast<std::int32_t>(seeded.word()) >> ((n & 4u) != 0 ? 0 : 8);
    }
    const UpdateSpec spec{{{static_cast<LinkKind>(n & 1u), {}}, k_rows, 2 << 24},
                          1 + seeded.word() % 4,
                          1 + seeded.word() % k_keep,
                          static_cast<std::int32_t>(1 + (seeded.word() >> 4)),
                          seeded.word() >> 6};
    const Samples samples{k_rows, k_features, numbers, k_features + 1, nullptr, nullptr};
    update(spec, samples, {feature, value}, work, difference);
    digest.add(difference);
  }
  digest.expect("6566980ee4b850342730d4d13c1e93fcb7abc950dfa41a1e5776b26b5cd0f3c6");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(one_step_keeps_the_largest_and_drops_what_the_model_had);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}
