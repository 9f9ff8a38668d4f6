// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cut_sweep.hpp"

namespace sotto {
namespace {

TEST(PowerCutsDeep, AtEveryWriteOfALifeWithManyWaysToTear) { sweep_all(12, 12, 100'000); }

}  // namespace
}  // namespace sotto
