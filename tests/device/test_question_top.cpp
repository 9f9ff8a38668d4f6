// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The question top: what is refused before the item is read, the channel of its report, and the public rules for items.
#include "question_harness.hpp"
#include "sotto/question/top.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/vote.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

AskedQuestion asked;

void begin(std::uint32_t bits) {
  asked.begin(71);
  asked.manifest.features = 1;
  asked.ask(Recipe::item, {16, 1, 20, 2});
  asked.through(GrrSpec{.categories = 1u << bits});
}

void rounds_that_do_not_fit_are_refused() {
  begin(3);
  const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_top, wanted, change); };
  refused(Status::unsupported_question, [](H& h) { h.round.recipe = Recipe::given; });
  refused(Status::bad_channel, [](H& h) { h.through(VoteSpec{.features = 7}); });
  refused(Status::bad_dimension, [](H& h) { h.through(GrrSpec{.categories = 9}); });
  refused(Status::bad_dimension, [](H& h) { h.through(GrrSpec{.categories = 8192}); });
  refused(Status::bad_dimension, [](H& h) { h.round.spec[0] = 0; });
  refused(Status::overspent, [](H& h) { ++h.round.spec[1]; });
  refused(Status::bad_field, [](H& h) { h.round.spec[2] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.parameter.at_place[4] = 1; });
  refused(Status::bad_field, [](H& h) { h.round.link = 1; });
  refused(Status::bad_field, [](H& h) { h.model({{0, 0}}); });
  refused(Status::bad_field, [](H& h) { h.pairs({{0, 1}}); });
}

void a_payload_has_one_or_two_bytes() {
  begin(8);
  TEST_ASSERT_EQUAL_UINT8(Status::ok, asked.check(k_top));
  TEST_ASSERT_EQUAL_UINT32(1, asked.plan.payload_bytes);
  begin(12);
  asked.manifest.epsilon = 8 * k_epsilon_one;
  asked.through(GrrSpec{.categories = 4096});
  TEST_ASSERT_EQUAL_UINT8(Status::ok, asked.check(k_top));
  TEST_ASSERT_EQUAL_UINT32(2, asked.plan.payload_bytes);
}

void an_item_that_is_too_long_is_cut_and_a_missing_one_is_zeros() {
  const ItemPart part{4, 1, 64, 0};
  std::uint8_t seed[32] = {3};
  const std::uint8_t longer[] = {'a', 'b', 'c', 'd', 'e'}, zeros[4] = {};
  TEST_ASSERT_TRUE(item_word(part, seed, longer, 4) == item_word(part, seed, longer, 5));
  TEST_ASSERT_FALSE(item_word(part, seed, longer, 4) == item_word(part, seed, longer, 3));
  TEST_ASSERT_TRUE(item_word(part, seed, zeros, 4) == item_word(part, seed, nullptr, 9));
  seed[31] = 1;  // another study has another key
  TEST_ASSERT_FALSE(item_word(part, seed, longer, 4) == item_word({4, 0, 64, 0}, seed, longer, 4));
}

/// The hash is linear, so two words collide exactly where the hash of their difference is zero: 2^-b of the devices.
void two_words_collide_as_often_as_a_random_hash_would_let_them() {
  std::uint8_t seed[32] = {9};
  std::uint32_t zero = 0;
  for (std::uint64_t device = 1; device <= 1024; ++device) {
    const CoinLabel label{seed, device, 3};
    const std::uint64_t a = 0x0123456789abcdef, b = 0x8123456789abcdee;
    const std::uint32_t difference = item_hash(3, label, a ^ b);
    TEST_ASSERT_EQUAL_UINT32(difference, item_hash(3, label, a) ^ item_hash(3, label, b));
    zero += difference == 0 ? 1u : 0u;
  }
  TEST_ASSERT_UINT32_WITHIN(43, 128, zero);  // four deviations; the coins are fixed
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(rounds_that_do_not_fit_are_refused);
  RUN_TEST(a_payload_has_one_or_two_bytes);
  RUN_TEST(an_item_that_is_too_long_is_cut_and_a_missing_one_is_zeros);
  RUN_TEST(two_words_collide_as_often_as_a_random_hash_would_let_them);
  return UNITY_END();
}
