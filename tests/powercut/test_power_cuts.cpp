// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cut_sweep.hpp"

namespace sotto {
namespace {

TEST(PowerCuts, AtEveryWriteOfALifeNothingSpentIsForgottenAndNothingIsDrawnTwice) { sweep_all(2, 1, 5'000); }

}  // namespace
}  // namespace sotto
