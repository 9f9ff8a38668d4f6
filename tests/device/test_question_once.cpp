// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What protocols that collect once ask beside sketches: products of Fourier features, and cells of a grid.
#include "question_harness.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/walsh_hash.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

constexpr std::uint32_t k_one = 1u << 24;
H asked;

void packed_fourier_gives_the_same_bytes() {
  asked.begin(41);
  ResultDigest digest;
  asked.through(HemisphereSpec{.dimension = 45});
  asked.ask(Recipe::packed_fourier, {2 * k_one, 8, 1u << 16});
  expect_sound(asked, k_moments_fourier, digest);
  asked.through(HemisphereSpec{.dimension = 6 * 7 / 2 + 6 + 1});
  asked.ask(Recipe::packed, {2 * k_one, 0, 0, 0, k_scope_all});
  expect_sound(asked, k_moments_fourier, digest);
  digest.expect("554ce4d837174b4c8c0e2f1b1673fabfd4930b6799620e013167d8c2e3f2092c");
}

void bad_packed_fourier_is_refused() {
  asked.begin(42);
  asked.through(HemisphereSpec{.dimension = 45});
  asked.ask(Recipe::packed_fourier, {2 * k_one, 8, 1u << 16});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_moments_fourier, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::copies; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::window; });
  refused(Status::bad_dimension, [](H& h) { h.round.spec[0] = 44; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::packed_fourier::radius] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::packed_fourier::count] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::packed_fourier::count] = 12; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::packed_fourier::count] = 96; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::packed_fourier::inverse_bandwidth] = 1u << 9; });
  refused(Status::bad_field,
          [](H& h) { h.round.parameter[recipe::packed_fourier::inverse_bandwidth] = (1u << 22) + 1; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.model({{0, 0}}); });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
}

void cells_give_the_same_bytes() {
  asked.begin(43);
  ResultDigest digest;
  asked.through(GrrSpec{.categories = 2 * 5 * 5});
  asked.model({{0, 0}, {3, 0}});
  asked.ask(Recipe::cells, {5, 8192, 0});
  expect_sound(asked, k_bin_cells, digest);
  asked.through(WalshHashSpec{.categories = 2 * 64, .bits = 3});
  asked.model({});
  asked.ask(Recipe::cells, {2, 32768, k_scope_all});  // 2^6 cells of six features
  expect_sound(asked, k_bin_cells, digest);
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  digest.expect("f8af6ce8cce40f2cead3fdcab6f2ed7084648ac4393c5d29c23415df60be0a58");
}

void bad_cells_are_refused() {
  asked.begin(44);
  asked.through(GrrSpec{.categories = 2 * 5 * 5});
  asked.model({{0, 0}, {3, 0}});
  asked.ask(Recipe::cells, {5, 8192, 0});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_bin_cells, wanted, change); };
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::window; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::cells::count] = 4; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::cells::count] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::cells::count] = 65537; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::cells::count] = 65536; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::cells::bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::cells::bound] = 32769; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::cells::scope] = 2; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::cells::scope] = k_scope_all; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({{6, 0}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({}); });
  refused(Status::overspent, [](H& h) { h.round.spec[1] += 1; });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(packed_fourier_gives_the_same_bytes);
  RUN_TEST(bad_packed_fourier_is_refused);
  RUN_TEST(cells_give_the_same_bytes);
  RUN_TEST(bad_cells_are_refused);
  return UNITY_END();
}
