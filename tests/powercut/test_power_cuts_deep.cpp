// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cut_sweep.hpp"

namespace sotto {
namespace {

TEST(PowerCutsDeep, at_every_write_of_a_life_with_many_ways_to_tear) { sweep_all(12, 12, 100'000); }

}  // namespace
}  // namespace sotto
