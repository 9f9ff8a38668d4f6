// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Vectors as directions: every recipe through every randomizer, the same bytes everywhere, and every bad number refused.
#include "sotto/question/direction.hpp"

#include "question_harness.hpp"
#include "sotto/local/link.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/sphere_code.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::int32_t k_one = 1 << 24;
constexpr std::uint32_t k_radius = k_one / 2, k_bound = 2 * k_one;

AskedQuestion asked;

void through_each(std::uint32_t size, ResultDigest& digest) {
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = size + 1, .closest = 8});
  expect_sound(asked, k_direction, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  asked.through(SphereCodeSpec{.dimension = size + 1, .codewords = 300, .closest = 40});
  expect_sound(asked, k_direction, digest);
  TEST_ASSERT_EQUAL_UINT32(2, asked.plan.payload_bytes);
  asked.through(HemisphereSpec{.dimension = size + 1});
  expect_sound(asked, k_direction, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
}

void every_recipe_and_randomizer_gives_the_same_bytes() {
  asked.begin(1);
  ResultDigest digest;
  for (const bool with_model : {false, true}) {
    if (with_model) asked.model({{1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
    for (const Recipe recipe : {Recipe::gradient, Recipe::row_gradient}) {
      for (asked.round.link = 0; asked.round.link < 3; ++asked.round.link) {
        const bool table = asked.round.link == 2;
        if (table) asked.pairs({{-k_one, k_one / 2}, {0, k_one}, {k_one, k_one / 4}});
        asked.ask(recipe,
                  {k_radius, k_bound, table ? static_cast<std::uint32_t>(-k_one) : 0, table ? 24u : 0, k_scope_all});
        through_each(k_asked_features, digest);
        asked.round.parameter[recipe::vector::scope] = 0;
        if (with_model) through_each(3, digest);
        asked.pairs({});
      }
      asked.round.link = 0;
    }
    asked.ask(Recipe::means, {k_radius, 0, 0, 0, k_scope_all});
    through_each(k_asked_features, digest);
  }
  asked.round.parameter[recipe::vector::scope] = 0;
  through_each(3, digest);
  asked.ask(Recipe::least_squares, {k_radius, 256});
  through_each(3, digest);
  digest.expect("ea6704f27b30054d1f9cf37105043d06123f4fb04a6e92be5436f71da5f43299");
}

void nothing_to_say_is_the_pole() {
  asked.begin(2);
  asked.model({{0, k_one}, {3, -k_one}});
  asked.ask(Recipe::means, {k_radius});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = 3, .closest = 8});
  (void)asked.answer(k_direction, asked.mapped(0), 1);
  const Q15* const unit = asked.kept<Q15>(sizeof(WorkTag));
  TEST_ASSERT_EQUAL_INT16(0, unit[0]);
  TEST_ASSERT_EQUAL_INT16(0, unit[1]);
  TEST_ASSERT_EQUAL_INT16(32767, unit[2]);
  // The mean of rows that equal the model is no difference either.
  for (std::uint32_t i = 0; i < k_asked_rows; ++i) {
    asked.numbers[i * 7] = 16384;
    asked.numbers[i * 7 + 3] = -16384;
  }
  asked.model({{0, k_one / 2}, {3, -k_one / 2}});
  for (const std::uint32_t rows : {std::uint32_t{1}, std::uint32_t{4}, k_asked_rows}) {
    (void)asked.answer(k_direction, asked.mapped(rows), 1);
    TEST_ASSERT_INT16_WITHIN(1, 0, unit[0]);
    TEST_ASSERT_INT16_WITHIN(1, 0, unit[1]);
  }
}

void rows_of_another_width_are_nothing_to_say() {
  asked.begin(3);
  asked.ask(Recipe::gradient, {k_radius, k_bound, 0, 0, k_scope_all});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = 7, .closest = 8});
  Samples other = asked.hooked();
  other.features = 5;
  const std::uint32_t reads = asked.reads;
  (void)asked.answer(k_direction, other, 1);
  TEST_ASSERT_EQUAL_UINT32(reads, asked.reads);
}

void bad_numbers_are_refused_before_a_row_is_read() {
  asked.begin(4);
  using H = AskedQuestion;
  asked.model({{1, k_one}, {4, 0}});
  asked.ask(Recipe::least_squares, {k_radius, 256});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = 3, .closest = 8});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_direction, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::steps; });
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::given; });
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::scores; });  // retired
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::gaussian; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::radius] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::radius] = 1u << 31; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::ridge] = 7; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::ridge] = (1u << 22) + 1; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({}); });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 4; });
  refused(Status::bad_dimension, [](H& h) { h.round.spec[1] = 4; });
  refused(Status::bad_channel, [](H& h) { h.round.spec[0] = 13; });
  refused(Status::overspent, [](H& h) { h.round.spec[3] += 1; });
  refused(Status::overspent, [](H& h) { h.manifest.epsilon -= k_epsilon_one; });
  refused(Status::bad_epsilon, [](H& h) { h.manifest.epsilon = k_epsilon_max + 1; });

  asked.ask(Recipe::gradient, {k_radius, k_bound});
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::residual_bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::residual_bound] = (64u << 24) + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::link_table::first_point] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::scope] = 2; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::vector::scope] = 1; });
  asked.round.link = 2;
  asked.round.parameter[recipe::link_table::log2_step] = 24;
  asked.pairs({{0, k_one}, {k_one, k_one}});
  refused(Status::bad_field, [](H& h) { h.round.pair_count = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::link_table::log2_step] = 27; });
  refused(Status::bad_field, [](H& h) { h.pairs({{k_one, k_one}, {0, k_one}}); });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_recipe_and_randomizer_gives_the_same_bytes);
  RUN_TEST(nothing_to_say_is_the_pole);
  RUN_TEST(rows_of_another_width_are_nothing_to_say);
  RUN_TEST(bad_numbers_are_refused_before_a_row_is_read);
  return UNITY_END();
}
