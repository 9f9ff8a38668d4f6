// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Average gradients: one row by hand, rows through a hook that fails, and the same bits on every target.
#include "sotto/local/gradient.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 20, k_features = 70;
constexpr std::int32_t k_one = 1 << 24;
Q15 numbers[k_rows * (k_features + 1)];
std::int32_t out[k_features];
std::byte work[gradient_work_bytes(RowUnits::stated, false, k_rows)];

Samples rows_of(Samples samples, std::uint32_t rows) {
  samples.rows = rows;
  return samples;
}

void one_row_by_hand() {
  const Q15 row[4] = {16384, -8192, 0, 8192};  // x = (1/2, -1/4, 0), y = 1/4
  const Samples samples{1, 3, row, 4, nullptr, nullptr};
  const std::uint16_t feature[2] = {0, 1};
  const std::int32_t value[2] = {k_one, k_one};  // <x, theta> = 1/4: the residual is 0
  GradientSpec spec{{}, 1, k_one};
  gradient(spec, samples, {feature, value}, {}, work, {out, 3});
  for (int j = 0; j < 3; ++j) TEST_ASSERT_EQUAL_INT32(0, out[j]);
  // theta = 0: the residual is -1/4, clipped to -1/8 in the second call.
  gradient(spec, samples, {}, {}, work, {out, 3});
  TEST_ASSERT_EQUAL_INT32(-k_one / 8, out[0]);
  TEST_ASSERT_EQUAL_INT32(k_one / 16, out[1]);
  TEST_ASSERT_EQUAL_INT32(0, out[2]);
  spec.bound_q24 = k_one / 8;
  gradient(spec, samples, {}, {}, work, {out, 3});
  TEST_ASSERT_EQUAL_INT32(-k_one / 16, out[0]);
  TEST_ASSERT_EQUAL_INT32(k_one / 32, out[1]);
}

void rows_that_cannot_be_read_count_as_zeros() {
  const Samples samples{5, k_features, nullptr,
                        0, nullptr,    [](void*, std::uint32_t, std::uint32_t, std::uint32_t, Q15*) { return false; }};
  gradient({{}, 5, k_one}, samples, {}, {}, work, out);
  for (const std::int32_t g : out) TEST_ASSERT_EQUAL_INT32(0, g);
}

bool read_numbers(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* to) {
  for (std::uint32_t j = 0; j < count; ++j) to[j] = numbers[row * (k_features + 1) + first + j];
  return true;
}

void every_target_gives_the_same_bits() {
  static LinkPoint points[k_link_points_max];
  for (std::int32_t k = 0; k < 65; ++k) points[k] = {(k - 32) * 300000, (k & 1) != 0 ? 1300000 : 1100000};
  SeededEntropy seeded{5};
  ResultDigest digest;
  std::uint16_t feature[6];
  std::int32_t value[6];
  for (std::uint32_t n = 0; n < 24; ++n) {
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    for (int k = 0; k < 6; ++k) {
      feature[k] = static_cast<std::uint16_t>(seeded.word() % k_features);
      value[k] = static_cast<std::int32_t>(seeded.word()) >> ((n & 4u) != 0 ? 0 : 6);
    }
    GradientSpec spec{{static_cast<LinkKind>(n % 3), {-8 * k_one, 22, link_points(points)}},
                      1 + seeded.word() % 40,
                      static_cast<std::int32_t>(1 + (seeded.word() >> (2 + n)))};
    const std::uint32_t rows = spec.nominal_rows < k_rows ? spec.nominal_rows : k_rows;
    const Samples mapped{k_rows, k_features, numbers, k_features + 1, nullptr, nullptr};
    const Samples hooked{k_rows, k_features, nullptr, 0, nullptr, read_numbers};
    gradient(spec, rows_of((n & 1u) != 0 ? mapped : hooked, rows), {feature, value}, {}, work, out);
    digest.add(out);
    gradient(spec, rows_of(mapped, rows), {feature, value}, feature, work, {out, 6});
    digest.add({out, 6});
    spec.nominal_rows = 1;
    Samples one = rows_of((n & 2u) != 0 ? mapped : hooked, n < k_rows ? 1 : 0);
    one.first_row = n;
    if (one.mapped != nullptr && one.rows != 0) one.mapped += n * (k_features + 1);
    gradient(spec, one, {feature, value}, feature, work, {out, 6});
    digest.add({out, 6});
  }
  digest.expect("e4772e416486a5112b214e4b74fc52b220dd478e64fcfc8577272d66cd23ab89");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(one_row_by_hand);
  RUN_TEST(rows_that_cannot_be_read_count_as_zeros);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}
