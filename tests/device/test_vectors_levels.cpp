// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of recipe levels: what a device makes of its means, bit for bit.
#include "question_harness.hpp"
#include "sotto/local/level.hpp"
#include "vectors_levels.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_features = 3, k_rows_most = 16;
Q15 numbers[k_rows_most * (k_features + 1)];

void answers_are_those_of_the_reference() {
  for (const vectors::LevelAnswer& v : vectors::k_levels) {
    const std::int64_t* const lists = vectors::k_levels_lists;
    for (std::uint32_t i = 0; i < v.rows * (k_features + 1); ++i)
      numbers[i] = static_cast<Q15>(lists[v.first_number + i]);
    std::uint16_t feature[k_features];
    std::int32_t value[k_features], out[k_features + 1];
    for (std::uint32_t j = 0; j < v.entries; ++j) {
      feature[j] = static_cast<std::uint16_t>(lists[v.first_entry + 2 * j]);
      value[j] = static_cast<std::int32_t>(lists[v.first_entry + 2 * j + 1]);
    }
    Samples samples{v.rows, k_features, numbers, k_features + 1, nullptr, nullptr};
    samples.units = RowUnits::centred;  // levels are those of the readings as they are stated
    samples.unit_q15 = static_cast<std::uint16_t>(v.unit);
    TEST_ASSERT_EQUAL_UINT32(v.answers, level_size(v.measure, v.entries));
    level_answer({v.measure, v.target_centre, v.fit_centre}, samples, {{feature, v.entries}, {value, v.entries}},
                 nullptr, {out, v.answers});
    for (std::uint32_t i = 0; i < v.answers; ++i) TEST_ASSERT_EQUAL_INT32(lists[v.first_answer + i], out[i]);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(answers_are_those_of_the_reference);
  return UNITY_END();
}
