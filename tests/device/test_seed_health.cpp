// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The health test of a seed at its limits: neighbours and number of bits.
#include <initializer_list>

#include "seeded_entropy.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

std::uint8_t seed[k_seed_bytes];

void expect_status(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

/// No two neighbours equal, 128 bits set.
void fill_balanced() {
  for (std::size_t i = 0; i < k_seed_bytes; ++i) seed[i] = (i & 1u) != 0 ? 0x35 : 0xca;
}

void set_number_of_bits(std::uint32_t bits) {
  for (std::size_t i = 0; i < k_seed_bytes; ++i) {
    const std::uint32_t here =
        bits / static_cast<std::uint32_t>(k_seed_bytes - i);  // spread evenly, then rotated so that neighbours differ
    const std::uint32_t low = (1u << here) - 1;
    const auto turn = static_cast<std::uint32_t>(i % 7 + 1);
    seed[i] = static_cast<std::uint8_t>(low << turn | low >> (8 - turn));
    bits -= here;
  }
}

void six_equal_neighbours_are_a_fault_anywhere() {
  for (std::size_t at = 0; at + 6 <= k_seed_bytes; ++at) {
    fill_balanced();
    for (std::size_t i = 0; i < 5; ++i) seed[at + i] = 0x5c;
    expect_status(Status::ok, seed_health(seed));
    seed[at + 5] = 0x5c;
    expect_status(Status::entropy_fault, seed_health(seed));
  }
}

void two_runs_of_five_are_not_six() {
  fill_balanced();
  for (std::size_t i = 0; i < 5; ++i) seed[i] = 0x5c, seed[5 + i] = 0x3a;
  expect_status(Status::ok, seed_health(seed));
}

void the_number_of_bits_has_both_limits() {
  for (const std::uint32_t bits : {72u, 73u, 128u, 183u, 184u}) {
    set_number_of_bits(bits);
    expect_status(Status::ok, seed_health(seed));
  }
  for (const std::uint32_t bits : {0u, 1u, 71u, 185u, 255u, 256u}) {
    set_number_of_bits(bits);
    expect_status(Status::entropy_fault, seed_health(seed));
  }
}

void good_seeds_pass() {
  SeededEntropy entropy{1};
  for (int i = 0; i < 2000; ++i) {
    for (std::uint8_t& b : seed) b = entropy.byte();
    expect_status(Status::ok, seed_health(seed));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(six_equal_neighbours_are_a_fault_anywhere);
  RUN_TEST(two_runs_of_five_are_not_six);
  RUN_TEST(the_number_of_bits_has_both_limits);
  RUN_TEST(good_seeds_pass);
  return UNITY_END();
}
