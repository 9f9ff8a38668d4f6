// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What one report tells about one device, in numbers and in words that need no training in privacy.
struct PrivacyStatement {
  double epsilon = 0;  ///< delivered, in nats
  double delta = 0;   ///< added to the chance of every set of reports; 0 for every randomizer but the discrete Gaussian
  double factor = 0;  ///< e^epsilon of the declared epsilon, which is what is promised and charged
  double best_guess = 0;    ///< (e^epsilon + delta) / (1 + e^epsilon): an attacker who held two answers equally likely
  double chance_above = 0;  ///< that a report tells more than epsilon: chance_above_epsilon(); 0 where delta is 0
  std::optional<double> truth_probability;  ///< T/2^32: the report lies inside what the true answer allows
  bool weak = false;                        ///< above 4 nats
  std::vector<std::string> sentences;
};

/// The statement of a spec, from its integers.
[[nodiscard]] PrivacyStatement state_privacy(const AnySpec& spec, PrivacyUnit unit = PrivacyUnit::installation);

/// The same for a study: adds who chose the coins, what a liar can do with that, and how often a device pays.
[[nodiscard]] PrivacyStatement state_privacy(const AnySpec& spec, bool authenticated, std::uint32_t answers,
                                             PrivacyUnit unit = PrivacyUnit::installation);

}  // namespace sotto::analyzer
