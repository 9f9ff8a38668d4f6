// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The other questions that send a direction: products of a record, and federated updates.
#include "question_harness.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/update.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/sphere_code.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

constexpr std::int32_t k_one = 1 << 24;
constexpr std::uint32_t k_radius = k_one / 2, k_bound = 2 * k_one;
H asked;

void through_each(const Question& question, std::uint32_t size, ResultDigest& digest) {
  asked.through(CrossPolytopeSpec{.log2_size = 7, .dimension = size + 1, .closest = 8});
  expect_sound(asked, question, digest);
  asked.through(SphereCodeSpec{.dimension = size + 1, .codewords = 256, .closest = 40});
  expect_sound(asked, question, digest);
  asked.through(HemisphereSpec{.dimension = size + 1});
  expect_sound(asked, question, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
}

void moments_of_the_model_and_of_all_features_give_the_same_bytes() {
  asked.begin(11);
  ResultDigest digest;
  asked.ask(Recipe::packed, {k_radius, 0, 0, 0, k_scope_all});
  through_each(k_moments, 21 + 6, digest);
  asked.model({{1, 0}, {2, k_one}, {5, 7}});
  asked.round.parameter[recipe::vector::scope] = 0;
  through_each(k_moments, 6 + 3, digest);
  digest.expect("66fef0877cb2c88fb6802d08de8da95a809e9540705100bc53fe29058937547d");
}

void moments_are_the_products_of_one_record() {
  asked.begin(12);
  asked.manifest.nominal_rows = 1;
  asked.model({{0, 0}, {3, 0}});
  asked.ask(Recipe::packed, {k_one});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = 6, .closest = 8});
  asked.numbers[0] = 16384;                // 1/2
  asked.numbers[3] = -8192;                // -1/4
  asked.numbers[k_asked_features] = 8192;  // 1/4
  (void)asked.answer(k_moments, asked.mapped(), 1);
  const Q15* const unit = asked.kept<Q15>(sizeof(WorkTag));
  const std::int32_t wanted[5] = {8192, -4096, 2048, 4096, -2048};
  for (int j = 0; j < 5; ++j) TEST_ASSERT_INT16_WITHIN(3, wanted[j], unit[j]);
}

void bad_moments_are_refused() {
  asked.begin(13);
  asked.model({{1, 0}, {5, 0}});
  asked.ask(Recipe::packed, {k_radius});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = 6, .closest = 8});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_moments, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::means; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::window; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::radius] = 0; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::scope] = 2; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::vector::scope] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({}); });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 5; });
  refused(Status::overspent, [](H& h) { h.round.spec[3] += 1; });
}

void updates_give_the_same_bytes() {
  asked.begin(14);
  ResultDigest digest;
  for (asked.round.link = 0; asked.round.link < 3; ++asked.round.link) {
    const bool table = asked.round.link == 2;
    if (table) asked.pairs({{-k_one, k_one / 2}, {0, k_one}, {k_one, k_one / 4}});
    asked.ask(Recipe::steps, {k_radius, k_bound, table ? static_cast<std::uint32_t>(-k_one) : 0, table ? 24u : 0,
                              static_cast<std::uint32_t>(k_one), step_counts(3, 4)});
    through_each(k_update, k_asked_features, digest);
    through_each(k_update_noisy, k_asked_features, digest);
    asked.through(GaussianSpec{.radius = 100, .dimension = k_asked_features});
    expect_sound(asked, k_update_noisy, digest);
    TEST_ASSERT_EQUAL_UINT32(3 * k_asked_features, asked.plan.payload_bytes);
    asked.model({{1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
  }
  digest.expect("c0271e9d1fa6d8c8329ade1ace29f3e78f6e63b1c70904864789d00677d8ee16");
}

void bad_updates_are_refused() {
  asked.begin(15);
  asked.model({{1, k_one / 3}});
  asked.ask(Recipe::steps, {k_radius, k_bound, 0, 0, static_cast<std::uint32_t>(k_one), step_counts(3, 4)});
  asked.through(CrossPolytopeSpec{.log2_size = 6, .dimension = k_asked_features + 1, .closest = 8});
  const auto refused = [](Status wanted, auto change) {
    expect_refused(asked, k_update_noisy, wanted, change);
    if (asked.round.stem != Stem::gaussian) expect_refused(asked, k_update, wanted, change);
  };
  for (int stem = 0; stem < 2; ++stem) {
    refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::gradient; });
    refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::laplace; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::radius] = 0; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::radius] = 1u << 31; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::residual_bound] = 0; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::link_table::first_point] = 1; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::step_size] = 0; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::step_size] = (64u << 24) + 1; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::counts] = step_counts(0, 4); });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::counts] = step_counts(65, 4); });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::counts] = step_counts(3, 0); });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::steps::counts] = step_counts(3, 7); });
    refused(Status::bad_field, [](H& h) { h.round.link = 2; });
    refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
    refused(Status::bad_dimension, [](H& h) { h.model({{6, 0}}); });
    refused(Status::bad_dimension, [](H& h) { h.round.spec[h.round.stem == Stem::gaussian ? 2 : 1] += 1; });
    asked.through(GaussianSpec{.radius = 100, .dimension = k_asked_features});
  }
  expect_refused(asked, k_update_noisy, Status::overspent, [](H& h) { h.round.spec[1] -= 1; });
  expect_refused(asked, k_update_noisy, Status::uncertified_point, [](H& h) { h.manifest.delta = 0; });
  expect_refused(asked, k_update_noisy, Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  TEST_ASSERT_EQUAL_UINT8(Status::bad_channel, asked.check(k_update));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(moments_of_the_model_and_of_all_features_give_the_same_bytes);
  RUN_TEST(moments_are_the_products_of_one_record);
  RUN_TEST(bad_moments_are_refused);
  RUN_TEST(updates_give_the_same_bytes);
  RUN_TEST(bad_updates_are_refused);
  return UNITY_END();
}
