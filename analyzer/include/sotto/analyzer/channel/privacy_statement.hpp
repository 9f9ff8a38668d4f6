// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// States what one report reveals about one device, in numbers and in plain sentences: the best guess of an attacker,
/// the meaning of delta, what is protected. Every model and page carries this statement.

#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What one report reveals about one device, in numbers and in sentences for readers without knowledge of differential
/// privacy.
struct PrivacyStatement {
  double epsilon = 0;       ///< delivered, in nats
  double delta = 0;         ///< added to the probability of every set of reports; 0 for all but the discrete Gaussian
  double factor = 0;        ///< e^epsilon for the declared epsilon, which is promised and charged
  double best_guess = 0;    ///< (e^epsilon + delta) / (1 + e^epsilon): probability that an attacker guesses right
  double chance_above = 0;  ///< probability of a privacy loss above epsilon, chance_above_epsilon(); 0 if delta is 0
  std::optional<double> truth_probability;  ///< T/2^32: probability that the report is in the set of the true answer
  bool weak = false;                        ///< above 4 nats
  std::vector<std::string> sentences;
};

/// The statement for a spec alone.
[[nodiscard]] PrivacyStatement state_privacy(const AnySpec& spec, PrivacyUnit unit = PrivacyUnit::installation);

/// The statement for a study: adds who chose the public coins, what a dishonest device can do with them, and how many
/// answers a device gives.
[[nodiscard]] PrivacyStatement state_privacy(const AnySpec& spec, bool authenticated, std::uint32_t answers,
                                             PrivacyUnit unit = PrivacyUnit::installation);

}  // namespace sotto::analyzer
