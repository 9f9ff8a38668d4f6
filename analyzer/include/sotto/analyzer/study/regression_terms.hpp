// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// What a study with a table [protocol] says: the protocol, its numbers, and what it assumes to be public.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/analyzer/math/target_link.hpp"
#include "sotto/analyzer/study/once_terms.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// How a label is randomized. automatic: the way with the least variance that the study's epsilon and delta allow.
enum class LabelWay : std::uint8_t { automatic, one_bit, window, laplace, gaussian };
[[nodiscard]] std::string_view label_way_name(LabelWay way);
/// False: no such word.
bool choose_label_way(std::string_view word, LabelWay& way);

/// Where the numbers that a study assumes come from.
enum class AssumedFrom {
  analyst,  ///< known or guessed
  truth,    ///< a synthetic fleet's own, where the command does not say otherwise
  data,     ///< offsets, scales and rows of a device were computed from the rows of training users
};

/// What a study of a sparse linear model or mean says beforehand. All of it is public: the analyst knows it or guesses it, and
/// the model repeats it. Sizes are in standard deviations of features and target.
struct RegressionTerms {
  const ProtocolFacts* protocol = &k_no_protocol;
  std::string why_protocol;  ///< one sentence
  AssumedFrom source = AssumedFrom::analyst;
  bool paper = false;           ///< the paper's own mechanisms where they differ
  std::uint64_t devices = 0;    ///< n, expected
  std::uint32_t samples = 100;  ///< m, nominal
  std::uint32_t features = 0;   ///< d
  std::uint32_t sparsity = 8;   ///< s, at most so many variables matter
  double noise = 1;             ///< standard deviation of what the model leaves unexplained
  double norm = 1;              ///< bound of the coefficients' length
  bool correlated = false;      ///< features go along with each other
  bool signs = false;           ///< features are -1 or +1, in standard deviations
  TargetLink link = TargetLink::identity;
  /// The target that a device counts as 0, and one standard deviation of it, both in the units of f.
  double link_zero = 0, link_unit = 1;
  EpsilonNano epsilon = 0;  ///< of the one report of a device
  std::uint32_t steps = 0;  ///< T of multi-round and ldp-iht; 0: what the study's numbers make best
  DeltaUnits delta = 0;     ///< that a report may spend
  LabelWay label = LabelWay::automatic;
  bool target_is_normal = false;  ///< labels: the target's law is declared, so that a narrow clip can be undone
  double target_deviation = 0;    ///< labels: standard deviation of the target, declared; 0: what noise and norm make
  std::uint32_t unit_q15 = 8192;  ///< one standard deviation, of features and target
  std::uint32_t minimum = 30;     ///< reports below which a round does not close
  std::optional<OnceTerms> once;  ///< of protocols that collect once

  /// Standard deviation of the target.
  [[nodiscard]] double target_spread() const noexcept {
    return target_deviation > 0 ? target_deviation : std::sqrt(noise * noise + norm * norm);
  }
  [[nodiscard]] double nats() const noexcept { return static_cast<double>(epsilon) / 1e9; }
  /// One standard deviation as a fraction of full scale, which is what devices count in.
  [[nodiscard]] double unit() const noexcept { return unit_q15 / 32768.0; }
};

}  // namespace sotto::analyzer
