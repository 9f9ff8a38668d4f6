// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Must fail: the one assertion is false. ctest expects the failure.
#include "unity.h"

extern "C" void setUp() {}
extern "C" void tearDown() {}

static void a_false_assertion_fails() { TEST_ASSERT_EQUAL_INT(1, 2); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_false_assertion_fails);
  return UNITY_END();
}
