// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of exp_neg, bit for bit.
#include "sotto/exp_bound.hpp"
#include "vector_row.hpp"
#include "vectors_exp_neg.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect64;
using vectors::Row;

void bounds_are_the_references() {
  std::size_t n = 0;
  for (const vectors::ExpNeg& v : vectors::k_exp_neg) {
    const Row row{n++};
    if (v.epsilon_nano != 0) expect64(v.h, exponent_q40(v.epsilon_nano), row);
    expect64(v.r, exp_neg_upper_q64(v.h), row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(bounds_are_the_references);
  return UNITY_END();
}
