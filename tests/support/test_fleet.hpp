// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include "seeded_entropy.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"

namespace sotto {

/// Many devices of one study in turn: a certified spec and coins that begin every report from a seeded source.
template <class Spec>
class TestFleet {
 public:
  TestFleet(const Spec& spec, std::uint64_t seed) : entropy_(seed) {
    EXPECT_EQ(certify(spec, k_epsilon_max, certified_), Status::ok);
  }

  /// randomize(certified, coins, report) runs the device's randomizer.
  template <class Report, class Randomize>
  [[nodiscard]] Report report(Randomize randomize, Report answer = {}) {
    EXPECT_EQ(coins_.begin_report(entropy_.source()), Status::ok);
    EXPECT_EQ(randomize(certified_, coins_, answer), Status::ok);
    return answer;
  }

 private:
  Certified<Spec> certified_;
  SeededEntropy entropy_;
  PrivateCoins coins_;
};

}  // namespace sotto
