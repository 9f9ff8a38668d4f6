// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Recipe levels through its questions: the same bytes everywhere, levels where rows are centred, and every bad number
// refused.
#include "question_harness.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/value.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/window.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

constexpr std::int32_t k_one = 1 << 24;
constexpr std::uint32_t k_radius = k_one / 8;
H asked;

const WindowSpec k_window{.outcomes = 5, .width = 2};
const GrrSpec k_cells{.categories = 16};

CrossPolytopeSpec products_of(std::uint32_t columns) {
  return {.log2_size = 6, .dimension = columns + 2, .closest = 8};
}

void every_measure_gives_the_same_bytes() {
  asked.begin(41);
  ResultDigest digest;
  for (const RowUnits units : {RowUnits::stated, RowUnits::centred}) {
    asked.manifest.units = units;
    asked.model({{1, k_one / 8}, {2, -k_one / 5}, {5, 1000}});
    asked.pairs({});
    asked.ask(Recipe::levels, {k_radius, k_level_products, static_cast<std::uint32_t>(-k_one / 16)});
    asked.through(products_of(3));
    expect_sound(asked, k_direction, digest);
    asked.ask(Recipe::levels, {k_radius, k_level_columns});
    asked.through(products_of(2));
    expect_sound(asked, k_direction, digest);
    asked.pairs({{-k_one / 32, k_one / 16}});
    asked.ask(Recipe::levels, {0, k_level_better, 77, static_cast<std::uint32_t>(-99)});
    asked.through(k_window);
    expect_sound(asked, k_value, digest);
    asked.model({});
    asked.ask(Recipe::levels, {0, k_level_target, 1234567});
    asked.through(k_cells);
    expect_sound(asked, k_bin, digest);
    asked.through(k_window);
    expect_sound(asked, k_value, digest);
  }
  digest.expect("aa201789cb8c426f4cb380e3192c559085c694b8308e5f3094fcf82c1e693977");
}

void a_device_that_centres_its_rows_still_tells_their_level() {
  asked.begin(42);
  asked.model({{0, 0}, {3, 0}});
  for (std::uint32_t i = 0; i < k_asked_rows; ++i) {
    Q15* const row = asked.numbers + i * (k_asked_features + 1);
    row[0] = 8192;
    row[3] = -4096;
    row[k_asked_features] = 4096;
  }
  asked.ask(Recipe::levels, {k_one / 4, k_level_products});
  asked.through(products_of(2));
  for (const RowUnits units : {RowUnits::stated, RowUnits::centred}) {
    asked.manifest.units = units;
    (void)asked.answer(k_direction, asked.mapped(), 1);
    const Q15* const unit = asked.kept<Q15>(sizeof(WorkTag));
    TEST_ASSERT_INT16_WITHIN(1, 4096, unit[0]);   // (1/8)(1/4) in quarters
    TEST_ASSERT_INT16_WITHIN(1, 4096, unit[1]);   // (1/8)(1/4)
    TEST_ASSERT_INT16_WITHIN(1, -2048, unit[2]);  // (1/8)(-1/8)
  }
}

void bad_levels_are_refused_before_a_row_is_read() {
  asked.begin(43);
  asked.manifest.units = RowUnits::centred;
  asked.model({{1, k_one}, {4, 0}});
  asked.ask(Recipe::levels, {k_radius, k_level_products, 5});
  asked.through(products_of(2));
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_direction, wanted, change); };
  refused(Status::bad_field, [](H& h) { h.manifest.units = RowUnits::own; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::radius] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::measure] = k_level_target; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::measure] = k_level_better; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::measure] = 4; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::target_centre] = (1u << 25) + 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::target_centre] = 0u - (1u << 25) - 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::fit_centre] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter.at_place[4] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter.at_place[5] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({}); });
  refused(Status::bad_dimension, [](H& h) { h.manifest.features = 4; });
  refused(Status::bad_dimension, [](H& h) {
    h.round.parameter[recipe::levels::measure] = k_level_columns, h.round.parameter[recipe::levels::target_centre] = 0;
  });

  asked.ask(Recipe::levels, {0, k_level_better, 5, 6});
  asked.pairs({{-100, 100}});
  asked.through(k_window);
  const auto refused_value = [](Status wanted, auto change) { expect_refused(asked, k_value, wanted, change); };
  refused_value(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::radius] = 1; });
  refused_value(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::measure] = k_level_products; });
  refused_value(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::fit_centre] = (1u << 25) + 1; });
  refused_value(Status::bad_field, [](H& h) { h.pairs({{-1, 1}, {-1, 1}}); });
  refused_value(Status::bad_field, [](H& h) { h.pairs({{1, 1}}); });
  refused_value(Status::bad_dimension, [](H& h) { h.model({}); });
  refused_value(Status::bad_field, [](H& h) { h.manifest.units = RowUnits::own; });

  asked.ask(Recipe::levels, {0, k_level_target, 5});
  asked.model({});
  asked.through(k_cells);
  const auto refused_bin = [](Status wanted, auto change) { expect_refused(asked, k_bin, wanted, change); };
  refused_bin(Status::bad_dimension, [](H& h) { h.model({{1, k_one}}); });
  refused_bin(Status::bad_field, [](H& h) { h.round.parameter[recipe::levels::fit_centre] = 1; });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_measure_gives_the_same_bytes);
  RUN_TEST(a_device_that_centres_its_rows_still_tells_their_level);
  RUN_TEST(bad_levels_are_refused_before_a_row_is_read);
  return UNITY_END();
}
