// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The test harness itself: constructors ran, memory functions work, the counter counts, Unity compares 64 bits.
#include <cstddef>
#include <cstdint>

#include "board.h"
#include "unity.h"

extern "C" {
void* memcpy(void*, const void*, std::size_t);
void* memmove(void*, const void*, std::size_t);
void* memset(void*, int, std::size_t);
int memcmp(const void*, const void*, std::size_t);
void setUp() {}
void tearDown() {}
}

namespace {

volatile std::uint32_t runtime_seven = 7;  // volatile: the constructor below cannot be folded away
struct Constructed {
  std::uint32_t value = runtime_seven * 6u;
};
const Constructed constructed;
std::uint32_t initialised = 0x12345678u;
std::uint32_t zeroed[4];

void constructors_and_initial_values_are_in_place() {
  TEST_ASSERT_EQUAL_UINT32(42u, constructed.value);
  TEST_ASSERT_EQUAL_HEX32(0x12345678u, initialised);
  for (const std::uint32_t word : zeroed) TEST_ASSERT_EQUAL_UINT32(0u, word);
}

void sixty_four_bits_are_compared_in_full() {
  volatile std::uint64_t high = 0x1234567800000001u;
  TEST_ASSERT_EQUAL_HEX64(0x1234567800000001u, high);
  TEST_ASSERT_TRUE(high != 1u);
}

void memory_functions_copy_set_move_and_compare() {
  unsigned char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned char b[8];
  memcpy(b, a, sizeof a);
  TEST_ASSERT_EQUAL_INT(0, memcmp(a, b, sizeof a));
  memmove(a + 2, a, 6);
  const unsigned char up[8] = {1, 2, 1, 2, 3, 4, 5, 6};
  TEST_ASSERT_EQUAL_INT(0, memcmp(a, up, sizeof a));
  memmove(b, b + 3, 5);
  const unsigned char down[8] = {4, 5, 6, 7, 8, 6, 7, 8};
  TEST_ASSERT_EQUAL_INT(0, memcmp(b, down, sizeof b));
  memset(a, 0xFF, sizeof a);
  TEST_ASSERT_TRUE(memcmp(a, b, sizeof a) > 0);
  TEST_ASSERT_TRUE(memcmp(b, a, sizeof a) < 0);
}

[[gnu::noinline]] std::uint32_t counted_work(std::uint32_t steps) {
  board_count_start();
  for (volatile std::uint32_t i = 0; i < steps;) i = i + 1;
  return board_count();
}

void the_counter_is_exact_and_repeatable() {
  if (!board_has_count) TEST_IGNORE_MESSAGE("no instruction counter here");
  board_count_start();
  TEST_ASSERT_UINT32_WITHIN(2u, 0u, board_count());
  const std::uint32_t base = counted_work(0);
  const std::uint32_t hundred = counted_work(100) - base;
  TEST_ASSERT_TRUE(hundred >= 300u && hundred <= 1500u);
  TEST_ASSERT_UINT32_WITHIN(20u, 10u * hundred, counted_work(1000) - base);
  for (int i = 0; i < 8; ++i) TEST_ASSERT_UINT32_WITHIN(1u, hundred, counted_work(100) - base);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(constructors_and_initial_values_are_in_place);
  RUN_TEST(sixty_four_bits_are_compared_in_full);
  RUN_TEST(memory_functions_copy_set_move_and_compare);
  RUN_TEST(the_counter_is_exact_and_repeatable);
  return UNITY_END();
}
