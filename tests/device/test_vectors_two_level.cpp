// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of two_level, bit for bit.
#include "sotto/two_level.hpp"
#include "vector_row.hpp"
#include "vectors_two_level.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::expect64;
using vectors::Row;

void thresholds_and_delivered_epsilons_are_the_references() {
  std::size_t n = 0;
  for (const vectors::Channel& v : vectors::k_two_level_good) {
    const Row row{n++};
    std::uint32_t threshold = 0;
    expect(Status::ok, two_level_threshold(v.outcomes, v.inside, v.epsilon_nano, threshold), row);
    expect(v.threshold, threshold, row);
    const TwoLevel channel{v.outcomes, v.inside, v.threshold};
    expect(Status::ok, two_level_check(channel, v.epsilon_nano), row);
    expect64(v.delivered_nano, two_level_delivered(channel), row);
  }
}

void one_more_is_refused() {
  std::size_t n = 0;
  for (const vectors::Channel& v : vectors::k_two_level_good) {
    expect(Status::overspent, two_level_check({v.outcomes, v.inside, v.threshold + 1}, v.epsilon_nano), Row{n++});
  }
}

void bad_channels_are_refused_by_name() {
  std::size_t n = 0;
  for (const vectors::Channel& v : vectors::k_two_level_bad) {
    expect(v.status, two_level_check({v.outcomes, v.inside, v.threshold}, v.epsilon_nano), Row{n++});
  }
}

void impossible_thresholds_are_refused_and_leave_the_output_alone() {
  std::size_t n = 0;
  for (const vectors::Channel& v : vectors::k_two_level_bad_derive) {
    const Row row{n++};
    std::uint32_t threshold = 12345;
    expect(v.status, two_level_threshold(v.outcomes, v.inside, v.epsilon_nano, threshold), row);
    expect(12345u, threshold, row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(thresholds_and_delivered_epsilons_are_the_references);
  RUN_TEST(one_more_is_refused);
  RUN_TEST(bad_channels_are_refused_by_name);
  RUN_TEST(impossible_thresholds_are_refused_and_leave_the_output_alone);
  return UNITY_END();
}
