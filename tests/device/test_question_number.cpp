// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The question `number`: what it refuses before a reading is asked for, and that a device without one answers alike.
#include "question_harness.hpp"
#include "sotto/question/number.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hadamard_response.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

H asked;

std::int32_t read_square(void* context, std::uint32_t i) {
  ++*static_cast<std::uint32_t*>(context);
  return static_cast<std::int32_t>(i * i) - 10;
}

void begin(std::uint64_t seed) {
  asked.begin(seed);
  asked.ask(Recipe::number, {k_rule_mean, 4});
  asked.pairs({{-20, 70}});
}

void numbers_give_the_same_bytes() {
  begin(41);
  ResultDigest digest;
  const auto sound = [&digest] {
    for (std::uint32_t rule = k_rule_last; rule <= k_rule_count; ++rule) {
      asked.round.parameter[recipe::number::rule] = rule;
      for (std::uint32_t readings = 0; readings <= 12; ++readings) {
        std::uint32_t reads = 0;
        LocalData local;
        local.numbers = {readings, &reads, read_square};
        const std::span<const std::uint8_t> bytes = asked.answer_from(k_number, local, readings + 1);
        TEST_ASSERT_EQUAL_UINT32(asked.plan.payload_bytes, bytes.size());
        TEST_ASSERT_EQUAL_UINT32(readings == 0 ? 0 : k_asked_rows, reads);  // as often whatever it holds
        for (const std::uint8_t b : bytes) digest.add(b);
      }
    }
  };
  asked.through(WindowSpec{.outcomes = 128, .width = 27});
  sound();
  asked.through(LaplaceSpec{.radius = 256});
  sound();
  asked.through(GrrSpec{.categories = 3});
  sound();
  asked.through(WalshHashSpec{.categories = 64, .bits = 3});
  sound();
  asked.through(HadamardResponseSpec{.log2_size = 6, .categories = 32});
  sound();
  asked.pairs({{-5, 0}, {0, 0}, {30, 0}});
  asked.through(GrrSpec{.categories = 4});
  sound();
  digest.expect("ed66b67a37614728267cfc04c869bf2c25f18a5326972631f589eeedc25ffb88");
}

void a_bad_round_is_refused_before_a_reading_is_asked_for() {
  begin(42);
  const auto refused = [](Status wanted, auto change) {
    asked.through(WindowSpec{.outcomes = 128, .width = 27});
    expect_refused(asked, k_number, wanted, change);
    asked.through(GrrSpec{.categories = 16});
    expect_refused(asked, k_number, wanted, change);
  };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::given; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::cross_polytope; });
  refused(Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::number::rule] = k_rule_count + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter.at_place[2] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.round.pair_count = 0; });
  refused(Status::bad_field, [](H& h) { h.pairs({{5, 5}}); });
  refused(Status::bad_field, [](H& h) { h.pairs({{5, 4}}); });
  refused(Status::bad_epsilon, [](H& h) { h.manifest.epsilon = 0; });
  // Cuts: ascending, with nothing beside them, one fewer than the cells, and none for a place.
  asked.pairs({{1, 0}, {2, 0}, {9, 0}});
  asked.through(WindowSpec{.outcomes = 128, .width = 27});
  TEST_ASSERT_EQUAL_UINT8(Status::bad_field, asked.check(k_number));
  asked.through(GrrSpec{.categories = 4});
  expect_refused(asked, k_number, Status::bad_field, [](H& h) { h.pairs({{1, 0}, {1, 0}, {9, 0}}); });
  expect_refused(asked, k_number, Status::bad_field, [](H& h) { h.pairs({{1, 0}, {2, 3}, {9, 0}}); });
  expect_refused(asked, k_number, Status::bad_field, [](H& h) { h.pairs({{1, 5}, {2, 0}, {9, 0}}); });
  expect_refused(asked, k_number, Status::bad_dimension, [](H& h) { h.pairs({{1, 0}, {9, 0}}); });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(numbers_give_the_same_bytes);
  RUN_TEST(a_bad_round_is_refused_before_a_reading_is_asked_for);
  return UNITY_END();
}
