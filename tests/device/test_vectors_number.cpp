// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of the question `number`: what a device keeps before the randomizer, bit for bit.
#include "question_harness.hpp"
#include "sotto/question/number.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/window.hpp"
#include "vectors_number.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

AskedQuestion asked;

std::int32_t read_list(void* context, std::uint32_t i) {
  return static_cast<std::int32_t>(static_cast<const std::int64_t*>(context)[i]);
}

void answers_are_those_of_the_reference() {
  asked.begin(31);
  for (const vectors::NumberAnswer& v : vectors::k_number) {
    const std::int64_t* const lists = vectors::k_number_lists;
    asked.manifest.nominal_rows = v.rows;
    asked.ask(Recipe::number, {v.rule, static_cast<std::uint32_t>(v.missing)});
    ByteWriter writer{asked.lists.pairs};
    for (std::uint32_t i = 0; i < 2 * v.pairs; ++i) writer.u32(static_cast<std::uint32_t>(lists[v.first_pair + i]));
    asked.round.pairs = asked.lists.pairs;
    asked.round.pair_count = v.pairs;
    if (v.categories == 0)
      asked.through(WindowSpec{.outcomes = 128, .width = 27});
    else
      asked.through(GrrSpec{.categories = v.categories});
    LocalData local;
    auto* const readings = const_cast<std::int64_t*>(lists + v.first_reading);
    if (v.hooked)
      local.numbers = {v.readings, readings, read_list};
    else
      local.numbers = {1, nullptr, nullptr, static_cast<std::int32_t>(readings[0])};
    TEST_ASSERT_EQUAL_UINT32(1, asked.answer_from(k_number, local, 1).size());
    TEST_ASSERT_EQUAL_INT32(v.answer, *asked.kept<std::int32_t>(sizeof(WorkTag)));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(answers_are_those_of_the_reference);
  return UNITY_END();
}
