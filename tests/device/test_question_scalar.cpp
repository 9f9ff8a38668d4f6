// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Questions with a small answer: a rotated coordinate or its bin, a target, signs of a block.
#include "question_harness.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/value.hpp"
#include "sotto/spec/block.hpp"
#include "sotto/spec/gaussian.hpp"
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

constexpr std::int32_t k_one = 1 << 24;
constexpr std::uint32_t k_bound = 2 * k_one;
H asked;

const WindowSpec k_window{.outcomes = 5, .width = 2};
const LaplaceSpec k_laplace{.radius = 256};

void through_each(ResultDigest& digest) {
  asked.through(k_window);
  expect_sound(asked, k_value, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  asked.through(k_laplace);
  expect_sound(asked, k_value, digest);
  TEST_ASSERT_EQUAL_UINT32(2, asked.plan.payload_bytes);
  asked.through(GrrSpec{.categories = 300});
  expect_sound(asked, k_bin, digest);
  TEST_ASSERT_EQUAL_UINT32(2, asked.plan.payload_bytes);
  asked.through(WalshHashSpec{.categories = 300, .bits = 3});
  expect_sound(asked, k_bin, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  asked.through(HadamardResponseSpec{.log2_size = 9, .categories = 300});
  expect_sound(asked, k_bin, digest);
  TEST_ASSERT_EQUAL_UINT32(2, asked.plan.payload_bytes);
}

void values_and_bins_give_the_same_bytes() {
  asked.begin(21);
  ResultDigest digest;
  asked.pairs({{-k_one / 8, k_one / 16}});
  for (const Recipe recipe : {Recipe::gradient, Recipe::row_gradient}) {
    for (asked.round.link = 0; asked.round.link < 2; ++asked.round.link) {
      asked.ask(recipe, {0, k_bound, 0, 0, k_scope_all});
      through_each(digest);
    }
  }
  asked.round.link = 0;
  asked.model({{1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
  asked.ask(Recipe::least_squares, {0, 256});
  through_each(digest);
  asked.ask(Recipe::means, {});
  asked.pairs({{-k_one, 0}, {0, k_one}, {-100, 100}, {-2147483647 - 1, 2147483647}});
  through_each(digest);
  digest.expect("d5589bd06c4dcbb4d685da8e766e3a80101a5fd7aeef0895485f58d1ef39c7d0");
}

void bad_values_and_bins_are_refused() {
  asked.begin(22);
  asked.model({{1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
  asked.ask(Recipe::means, {});
  asked.pairs({{-k_one, 0}, {0, k_one}, {-100, 100}, {-5, 5}});
  const auto refused = [](Status wanted, auto change) {
    asked.through(k_window);
    expect_refused(asked, k_value, wanted, change);
    asked.through(k_laplace);
    expect_refused(asked, k_value, wanted, change);
    asked.through(GrrSpec{.categories = 16});
    expect_refused(asked, k_bin, wanted, change);
    asked.through(WalshHashSpec{.categories = 16, .bits = 3});
    expect_refused(asked, k_bin, wanted, change);
    asked.through(HadamardResponseSpec{.log2_size = 5, .categories = 16});
    expect_refused(asked, k_bin, wanted, change);
  };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::packed; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::cross_polytope; });
  refused(Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::radius] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::vector::ridge] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  for (const std::uint32_t count : {0u, 2u, 3u})
    refused(Status::bad_field, [count](H& h) { h.round.pair_count = count; });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 5; });
  refused(Status::bad_dimension, [](H& h) { h.round.model_size = 0; });
  refused(Status::bad_epsilon, [](H& h) { h.manifest.epsilon = 0; });
  asked.pairs({{1, 0}});
  TEST_ASSERT_EQUAL_UINT8(Status::bad_field, asked.check(k_bin));
  asked.pairs({{7, 7}});
  TEST_ASSERT_EQUAL_UINT8(Status::bad_field, asked.check(k_bin));
  asked.pairs({{-1, 1}, {-1, 1}, {-1, 1}, {1, -1}});
  TEST_ASSERT_EQUAL_UINT8(Status::bad_field, asked.check(k_bin));
  // A table of a link and ranges cannot share the pairs.
  asked.pairs({{-k_one, k_one}});
  asked.ask(Recipe::gradient, {0, k_bound});
  TEST_ASSERT_EQUAL_UINT8(Status::ok, asked.check(k_bin));
  asked.round.link = 2;
  TEST_ASSERT_EQUAL_UINT8(Status::bad_field, asked.check(k_bin));
}

void gains_give_the_same_bytes() {
  asked.begin(25);
  ResultDigest digest;
  asked.model({{0, k_one / 2}, {2, -k_one / 4}, {5, 3 * k_one}});
  for (const RowUnits units : {RowUnits::stated, RowUnits::centred, RowUnits::own}) {
    asked.manifest.units = units;
    for (const std::uint32_t measure : {k_measure_gain, k_measure_class_gain}) {
      for (asked.round.link = 0; asked.round.link < 2; ++asked.round.link) {
        for (const std::uint32_t bound : {1u, 8192u, 32768u}) {
          asked.ask(Recipe::gain, {bound, measure});
          asked.through(k_window);
          expect_sound(asked, k_value, digest);
          asked.through(k_laplace);
          expect_sound(asked, k_value, digest);
        }
      }
    }
  }
  digest.expect("59905ef6e695db63ba55527ae58392920830e42248af6cf2354c0db5984b13f7");
}

/// The answer to one measure before it is randomized, in Q15 units of the bound.
std::int32_t measured(std::uint32_t measure, std::uint32_t bound, std::int32_t target_centre, std::int32_t fit_centre,
                      std::uint32_t rows) {
  asked.ask(Recipe::gain,
            {bound, measure, 0, 0, static_cast<std::uint32_t>(target_centre), static_cast<std::uint32_t>(fit_centre)});
  asked.through(k_window);
  TEST_ASSERT_EQUAL_UINT32(1, asked.answer(k_value, asked.mapped(rows), 1).size());
  return *asked.kept<std::int32_t>(sizeof(WorkTag));
}

// Rows of one device with targets y and fits u = x_0 / 2, in Q15.
void measures_around_public_centres_are_means_over_rows() {
  asked.begin(27);
  asked.model({{0, k_one / 2}});
  const auto row = [](std::uint32_t i, Q15 x, Q15 y) {
    asked.numbers[i * (k_asked_features + 1)] = x;
    asked.numbers[i * (k_asked_features + 1) + k_asked_features] = y;
  };
  row(0, 8192, 16384);   // u = 1/8, y = 1/2
  row(1, -16384, 8192);  // u = -1/4, y = 1/4
  constexpr std::uint32_t k_all = 32768;
  // u (2y - u): 7/64 of the first row, -3/16 of the second.
  TEST_ASSERT_EQUAL_INT32(3584, measured(k_measure_better, k_all, 0, 0, 1));
  TEST_ASSERT_EQUAL_INT32(-1280, measured(k_measure_better, k_all, 0, 0, 2));
  // Around y = 1/4 and u = -1/8: u = 1/4, y = 1/4 gives 1/16; u = -1/8, y = 0 gives -1/64.
  TEST_ASSERT_EQUAL_INT32(768, measured(k_measure_better, k_all, 8192, -4096, 2));
  // Twice the answer where the bound is a half; no more than the bound.
  TEST_ASSERT_EQUAL_INT32(-2560, measured(k_measure_better, 16384, 0, 0, 2));
  TEST_ASSERT_EQUAL_INT32(-32768, measured(k_measure_better, 1000, 0, 0, 2));
  TEST_ASSERT_EQUAL_INT32((8192 + 2048) / 2, measured(k_measure_square, k_all, 0, 0, 2));
  TEST_ASSERT_EQUAL_INT32(4096, measured(k_measure_fit, k_all, 0, 0, 1));
  TEST_ASSERT_EQUAL_INT32(-2048 + 100, measured(k_measure_fit, k_all, 0, -100, 2));
  // A target: the model is worth nothing where its fit is constant, and u = 1/2 around -1/4 leaves y itself.
  asked.model({{0, 0}});
  TEST_ASSERT_EQUAL_INT32(12288, measured(k_measure_better, k_all, -8192, -16384, 2));
  asked.model({{0, k_one / 2}});
  TEST_ASSERT_EQUAL_INT32(32767, measured(k_measure_right, k_all, 0, 0, 1));
  TEST_ASSERT_EQUAL_INT32(0, measured(k_measure_right, k_all, 0, 0, 2));
  TEST_ASSERT_EQUAL_INT32(-32767, measured(k_measure_right, k_all, 16384, 0, 1));
  TEST_ASSERT_EQUAL_INT32(0, measured(k_measure_right, k_all, 0, 0, 0));
  TEST_ASSERT_EQUAL_INT32(0, measured(k_measure_better, k_all, -8192, -16384, 0));
}

// Rows without a target come in pairs whose features leave mean, range and deviation of the column as they are.
void a_row_without_a_target_does_not_count() {
  asked.begin(29);
  asked.manifest.units = RowUnits::own;
  asked.model({{0, k_one / 2}});
  constexpr std::uint32_t k_held = 4;
  for (std::uint32_t i = 0; i < k_held + 4; ++i) {
    Q15* const row = asked.numbers + i * (k_asked_features + 1);
    for (std::uint32_t j = 0; j < k_asked_features; ++j) row[j] = i % 2 == 0 ? 1000 : -1000;
    row[k_asked_features] = i >= k_held ? k_missing_reading : i % 2 == 0 ? Q15{700} : Q15{-300};
  }
  for (const std::uint32_t measure : {k_measure_gain, k_measure_class_gain, k_measure_own_right}) {
    const std::int32_t of_held = measured(measure, 32768, 0, 0, k_held);
    TEST_ASSERT_TRUE(of_held != 0);
    TEST_ASSERT_EQUAL_INT32(of_held, measured(measure, 32768, 0, 0, k_held + 2));
    TEST_ASSERT_EQUAL_INT32(of_held, measured(measure, 32768, 0, 0, k_held + 4));
  }
}

void other_measures_give_the_same_bytes() {
  asked.begin(28);
  ResultDigest digest;
  asked.model({{0, k_one / 2}, {2, -k_one / 4}, {5, 3 * k_one}});
  for (std::uint32_t measure = k_measure_own_right; measure <= k_measure_right; ++measure) {
    for (const RowUnits units : {RowUnits::stated, RowUnits::own}) {
      asked.manifest.units = units;
      const bool around = measure >= k_measure_better;
      asked.ask(Recipe::gain, {8192, measure, 0, 0, around ? 0u - 300u : 0u, around ? 700u : 0u});
      asked.through(k_window);
      expect_sound(asked, k_value, digest);
    }
  }
  digest.expect("c840e3c188df857c25df92d68b019c1820865be1532449f2f5ceb6d839f47fa6");
}

void bad_gains_are_refused() {
  asked.begin(26);
  asked.manifest.units = RowUnits::own;
  asked.model({{0, k_one / 2}, {5, k_one}});
  asked.ask(Recipe::gain, {16384});
  const auto refused = [](Status wanted, auto change) {
    asked.through(k_window);
    expect_refused(asked, k_value, wanted, change);
  };
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::bound] = 32769; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::measure] = k_measure_right + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::target_centre] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::fit_centre] = 0u - 1u; });
  refused(Status::bad_field, [](H& h) { h.round.link = 2; });
  refused(Status::bad_field, [](H& h) { h.round.pair_count = 1; });
  refused(Status::bad_dimension, [](H& h) { h.round.model_size = 0; });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 5; });
  asked.ask(Recipe::gain, {16384, k_measure_better, 0, 0, 1u << 16, 0u - (1u << 16)});
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::target_centre] = (1u << 16) + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::gain::fit_centre] = 0u - (1u << 16) - 1; });
  // A recipe that needs stated numbers is not asked of rows that the device centres.
  refused(Status::bad_field, [](H& h) { h.ask(Recipe::row_gradient, {0, k_bound}); });
}

void labels_give_the_same_bytes() {
  asked.begin(23);
  ResultDigest digest;
  for (const std::uint32_t bound : {1u, 4000u, 32768u}) {
    asked.ask(Recipe::target, {bound});
    for (const Question* const question : {&k_label, &k_label_noisy}) {
      asked.through(k_window);
      expect_sound(asked, *question, digest);
      asked.through(k_laplace);
      expect_sound(asked, *question, digest);
    }
    asked.through(GaussianSpec{.radius = 64, .dimension = 1});
    expect_sound(asked, k_label_noisy, digest);
    TEST_ASSERT_EQUAL_UINT32(3, asked.plan.payload_bytes);
  }
  digest.expect("75fceef302246e4f5fd664e2b75658024cd4c7742b0939eef0bb33e9361139dd");
}

void bad_labels_are_refused() {
  asked.begin(24);
  asked.ask(Recipe::target, {4000});
  const auto refused = [](Status wanted, auto change) {
    asked.through(k_window);
    expect_refused(asked, k_label, wanted, change);
    asked.through(GaussianSpec{.radius = 64, .dimension = 1});
    expect_refused(asked, k_label_noisy, wanted, change);
  };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::given; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::block; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::target::bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::target::bound] = 32769; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_field, [](H& h) { h.model({{0, 1}}); });
  refused(Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  TEST_ASSERT_EQUAL_UINT8(Status::bad_channel, asked.check(k_label));  // gaussian
  expect_refused(asked, k_label_noisy, Status::uncertified_point, [](H& h) { h.round.spec[1] += 1; });
  expect_refused(asked, k_label_noisy, Status::bad_dimension, [](H& h) { h.round.spec[2] = 2; });
}

void blocks_give_the_same_bytes() {
  asked.begin(25);
  ResultDigest digest;
  for (const std::uint32_t bound : {1u, 1u << 24, 64u << 24}) {
    asked.model({});
    asked.ask(Recipe::signs, {bound, k_scope_all});
    asked.through(BlockSpec{.width = 6, .flips = 1});
    expect_sound(asked, k_block, digest);
    asked.model({{0, k_one}, {1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
    expect_sound(asked, k_block, digest);
    asked.round.parameter[recipe::signs::scope] = 0;
    asked.through(BlockSpec{.width = 3, .flips = 1});
    expect_sound(asked, k_block, digest);
    TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  }
  digest.expect("e4701dbe106c4c5c76a6e6987afc23243ca09cc18ece7b6cf3313db183fd7844");
}

void blocks_behind_a_link_give_the_same_bytes() {
  asked.begin(28);
  ResultDigest digest;
  asked.model({{0, k_one}, {1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
  asked.ask(Recipe::signs, {static_cast<std::uint32_t>(k_one / 2), k_scope_all});
  asked.through(BlockSpec{.width = 6, .flips = 1});
  asked.round.link = 1;
  expect_sound(asked, k_block, digest);
  asked.round.link = 2;
  asked.round.parameter[recipe::link_table::first_point] = static_cast<std::uint32_t>(-k_one);
  asked.round.parameter[recipe::link_table::log2_step] = 24;
  asked.pairs({{-k_one, k_one / 2}, {0, 2 * k_one}, {k_one, k_one / 2}});
  expect_sound(asked, k_block, digest);
  digest.expect("ec2747129205ff9646ba49a1d2a0e46df0765c2286b989d99fc4ed2c4f7597bf");
}

void a_class_around_zero_answers_with_its_own_sign() {
  asked.begin(29);
  asked.manifest.nominal_rows = 1;
  asked.manifest.epsilon = k_epsilon_max;  // nearly always the truth
  asked.ask(Recipe::signs, {static_cast<std::uint32_t>(k_one / 2), k_scope_all});
  asked.round.link = 1;
  asked.through(BlockSpec{.width = 6, .flips = 0});
  std::uint32_t agree = 0;
  for (std::uint32_t j = 0; j < k_asked_features; ++j) asked.numbers[j] = 8192;
  for (std::uint32_t device = 1; device <= 50; ++device) {
    asked.pseudonym = device;
    const bool is_first = device % 2 == 0;  // class 1: b = +1, no bit is set
    asked.numbers[k_asked_features] = is_first ? Q15{1} : Q15{-8192};
    agree += asked.answer(k_block, asked.mapped(), device)[0] == (is_first ? 0 : 63) ? 1 : 0;
  }
  TEST_ASSERT_EQUAL_UINT32(50, agree);  // each is wrong with odds 63 e^-12 < 4e-4
}

void a_block_is_the_signs_of_one_record_times_its_residual() {
  asked.begin(26);
  asked.manifest.nominal_rows = 1;
  asked.manifest.epsilon = k_epsilon_max;  // nearly always the truth
  asked.ask(Recipe::signs, {static_cast<std::uint32_t>(k_one / 4), k_scope_all});
  asked.through(BlockSpec{.width = 6, .flips = 0});
  std::uint32_t signs = 0, agree = 0;
  for (std::uint32_t j = 0; j < k_asked_features; ++j) asked.numbers[j] = (0b101100 >> j & 1u) != 0 ? -32768 : 32767;
  asked.numbers[k_asked_features] = -16384;  // beyond the bound: b = -1 always
  for (std::uint32_t device = 1; device <= 50; ++device) {
    asked.pseudonym = device;
    std::uint32_t coordinates[6];
    block_coordinates(asked.asked(true).label, k_asked_features, coordinates);
    signs = 0;
    for (std::uint32_t i = 0; i < 6; ++i) signs |= (~(0b101100u >> coordinates[i]) & 1u) << i;
    agree += asked.answer(k_block, asked.mapped(), device)[0] == signs ? 1 : 0;
  }
  TEST_ASSERT_EQUAL_UINT32(50, agree);  // each is wrong with odds 63 e^-12 < 4e-4
}

void bad_blocks_are_refused() {
  asked.begin(27);
  asked.model({{1, k_one / 3}, {2, -k_one / 5}, {5, 1000}});
  asked.ask(Recipe::signs, {k_bound});
  asked.through(BlockSpec{.width = 3, .flips = 1});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_block, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::target; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::vote; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::signs::bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::signs::bound] = (64u << 24) + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::signs::scope] = 2; });
  for (const Parameter& of_a_table : {recipe::link_table::first_point, recipe::link_table::log2_step})
    refused(Status::bad_field, [&](H& h) { h.round.parameter[of_a_table] = 1; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.round.link = 3; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  const auto table = [](H& h, std::initializer_list<NumberPair> points) {
    h.round.link = 2;
    h.round.parameter[recipe::link_table::log2_step] = 22;
    h.pairs(points);
  };
  refused(Status::bad_field, [&](H& h) { table(h, {{0, 1}}); });           // one point
  refused(Status::bad_field, [&](H& h) { table(h, {{0, 1}, {-1, 1}}); });  // falls
  refused(Status::bad_field, [&](H& h) { table(h, {{0, -1}, {1, 1}}); });  // a slope that falls
  refused(Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 5; });
  refused(Status::bad_dimension, [](H& h) { h.round.model_size = 2; });
  refused(Status::overspent, [](H& h) { h.round.spec[2] += 1; });
  refused(Status::bad_channel, [](H& h) { h.round.spec[0] = 25; });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(values_and_bins_give_the_same_bytes);
  RUN_TEST(bad_values_and_bins_are_refused);
  RUN_TEST(gains_give_the_same_bytes);
  RUN_TEST(a_row_without_a_target_does_not_count);
  RUN_TEST(measures_around_public_centres_are_means_over_rows);
  RUN_TEST(other_measures_give_the_same_bytes);
  RUN_TEST(bad_gains_are_refused);
  RUN_TEST(labels_give_the_same_bytes);
  RUN_TEST(bad_labels_are_refused);
  RUN_TEST(blocks_give_the_same_bytes);
  RUN_TEST(blocks_behind_a_link_give_the_same_bytes);
  RUN_TEST(a_class_around_zero_answers_with_its_own_sign);
  RUN_TEST(a_block_is_the_signs_of_one_record_times_its_residual);
  RUN_TEST(bad_blocks_are_refused);
  return UNITY_END();
}
