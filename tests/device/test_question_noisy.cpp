// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A record with additive noise: its sketch, and copies of it.
#include "question_harness.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/spec/gaussian.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

constexpr std::uint32_t k_one = 1u << 24;
H asked;

void sketches_give_the_same_bytes() {
  asked.begin(31);
  ResultDigest digest;
  asked.through(GaussianSpec{.radius = 50, .dimension = 9});
  asked.ask(Recipe::hadamard, {k_one, 40, 30, 8192, 32});
  expect_sound(asked, k_sketch, digest);
  asked.ask(Recipe::fourier, {2 * k_one, 40, 30, 8192, 1u << 16});
  expect_sound(asked, k_sketch, digest);
  TEST_ASSERT_EQUAL_UINT32(27, asked.plan.payload_bytes);
  asked.round.parameter[recipe::record::target_steps] = 0;  // the target is left out
  expect_sound(asked, k_sketch, digest);
  digest.expect("68ed8ae2cc0c626d146b89b354ded40019880d64f9e5072bc3a93fdd28fa9f07");
}

void bad_sketches_are_refused() {
  asked.begin(32);
  asked.through(GaussianSpec{.radius = 50, .dimension = 9});
  asked.ask(Recipe::hadamard, {k_one, 40, 30, 8192, 32});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_sketch, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::copies; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::laplace; });
  refused(Status::bad_dimension, [](H& h) { h.round.spec[2] = 8; });
  refused(Status::bad_dimension, [](H& h) { h.round.spec[2] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::radius] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::feature_steps] = 0; });
  refused(Status::bad_channel, [](H& h) { h.round.parameter[recipe::record::feature_steps] = 41; });
  refused(Status::bad_channel, [](H& h) { h.round.parameter[recipe::record::target_steps] = 31; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::target_steps] = 513; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::target_bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::target_bound] = 32769; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::sketch::block] = 16; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::sketch::block] = 48; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::sketch::block] = 8192; });
  for (std::uint32_t i = 0; i < k_parameter_places; ++i) {
    if (!recipe::takes_place(asked.round.recipe, i))
      refused(Status::bad_field, [i](H& h) { h.round.parameter.at_place[i] = 1; });
  }
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::projection; });  // retired
  refused(Status::bad_field, [](H& h) { h.round.recipe = Recipe::fourier; });
  refused(Status::bad_field, [](H& h) { h.model({{0, 0}}); });
  refused(Status::bad_field, [](H& h) { h.round.link = 2; });
  refused(Status::bad_field, [](H& h) { h.round.spec[3] = 1; });
  refused(Status::overspent, [](H& h) { h.round.spec[1] -= 1; });
  refused(Status::uncertified_point, [](H& h) { h.manifest.delta += 1; });
  asked.ask(Recipe::fourier, {k_fourier_radius_q24, 40, 30, 8192, 1u << 16});
  for (const std::uint32_t inverse : {0u, (1u << 10) - 1, (1u << 22) + 1, ~0u})
    refused(Status::bad_field, [=](H& h) { h.round.parameter[recipe::sketch::inverse_bandwidth] = inverse; });
}

void synopses_give_the_same_bytes() {
  asked.begin(33);
  ResultDigest digest;
  asked.through(GaussianSpec{.radius = 100, .dimension = 4 * k_asked_features + 1});
  asked.ask(Recipe::copies, {k_one, 40, 60, 8192, 4, k_scope_all});
  expect_sound(asked, k_synopsis, digest);
  TEST_ASSERT_EQUAL_UINT32(75, asked.plan.payload_bytes);
  asked.model({{2, 0}, {5, 0}});
  asked.through(GaussianSpec{.radius = 100, .dimension = 9});
  asked.round.parameter[recipe::copies::scope] = 0;
  expect_sound(asked, k_synopsis, digest);
  digest.expect("7e690b2ccf4882a37e47a496decf2c1936408e1ece6e7ab8315404ce14572865");
}

void bad_synopses_are_refused() {
  asked.begin(34);
  asked.through(GaussianSpec{.radius = 100, .dimension = 4 * k_asked_features + 1});
  asked.ask(Recipe::copies, {k_one, 40, 60, 8192, 4, k_scope_all});
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_synopsis, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::hadamard; });
  refused(Status::bad_channel, [](H& h) { h.round.stem = Stem::window; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::radius] = 1u << 31; });
  refused(Status::bad_channel, [](H& h) { h.round.parameter[recipe::record::feature_steps] = 41; });
  refused(Status::bad_channel, [](H& h) { h.round.parameter[recipe::record::target_steps] = 61; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::feature_steps] = 513; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::record::target_bound] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::copies::count] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::copies::count] = 4097; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::copies::count] = 3; });
  refused(Status::bad_dimension, [](H& h) { h.round.parameter[recipe::copies::scope] = 0; });
  refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::copies::scope] = 2; });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
  refused(Status::bad_dimension, [](H& h) { h.model({{6, 0}}); });
  refused(Status::overspent, [](H& h) { h.round.spec[1] -= 1; });
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(sketches_give_the_same_bytes);
  RUN_TEST(bad_sketches_are_refused);
  RUN_TEST(synopses_give_the_same_bytes);
  RUN_TEST(bad_synopses_are_refused);
  return UNITY_END();
}
