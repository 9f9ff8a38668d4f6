// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cut_sweep.hpp"

namespace sotto {
namespace {

TEST(PowerCuts, at_every_write_of_a_life_nothing_spent_is_forgotten_and_nothing_is_drawn_twice) {
  sweep_all(2, 1, 5'000);
}

}  // namespace
}  // namespace sotto
