// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sotto/coins/private_coins.hpp"

namespace sotto::joint {

/// A randomizer with one fixed private input: the exact law of its report, and the compiled function.
struct JointStem {
  std::string name;
  std::uint32_t bits;       ///< of a report
  std::vector<double> law;  ///< 2^bits probabilities
  std::function<std::uint32_t(PrivateCoins&)> report;
};

/// One instance of every stem of the device library.
std::vector<JointStem> joint_stems();

}  // namespace sotto::joint
