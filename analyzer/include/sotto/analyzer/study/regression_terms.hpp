// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The terms of a study with a table [protocol]: a regression or a mean that a protocol estimates in one or more
/// rounds. It holds the protocol, its parameters, and what the analyst assumes.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/analyzer/math/target_kind.hpp"
#include "sotto/analyzer/math/target_link.hpp"
#include "sotto/analyzer/study/between_terms.hpp"
#include "sotto/analyzer/study/everyday_terms.hpp"
#include "sotto/analyzer/study/once_terms.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "sotto/analyzer/study/round_schedule.hpp"
#include "sotto/row_units.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// How a label is randomized. automatic: the way with the least variance that the study's epsilon and delta allow.
enum class LabelWay : std::uint8_t { automatic, one_bit, window, laplace, gaussian };
[[nodiscard]] std::string_view label_way_name(LabelWay way);
/// Returns false if there is no such word.
bool choose_label_way(std::string_view word, LabelWay& way);

/// Where the assumed numbers of a study come from.
enum class AssumedFrom {
  analyst,  ///< the analyst knew or guessed them
  truth,    ///< the true values of a synthetic fleet, unless the command sets others
  data,     ///< offsets, scales and rows of a device were computed from the rows of training users
};

/// What a study of a sparse linear model or mean states in advance. All of it is public: the analyst knows or guesses
/// it, and the model repeats it. Sizes are in standard deviations of features and target.
struct RegressionTerms {
  const ProtocolFacts* protocol = &k_no_protocol;
  std::string why_protocol;  ///< why this protocol was chosen, one sentence
  AssumedFrom source = AssumedFrom::analyst;
  bool paper = false;            ///< use the paper's own mechanisms where this implementation differs
  RoundSchedule rounds;          ///< when rounds are open
  std::uint64_t devices = 0;     ///< n, the expected number of devices that teach
  std::uint64_t validators = 0;  ///< devices beside them that teach nothing and measure how well the model predicts
  double validation = 0;         ///< their share of all devices
  std::uint32_t samples = 100;   ///< m, the nominal number of rows of a device
  std::uint32_t features = 0;    ///< d
  std::uint32_t sparsity = 8;    ///< s, the largest number of variables that matter
  double noise = 1;              ///< standard deviation of the residual
  double norm = 1;               ///< bound on the l2 norm of the coefficients
  RowUnits units = RowUnits::stated;  ///< who centres and scales the rows of a device
  bool correlated = false;            ///< features are correlated
  bool signs = false;                 ///< features are -1 or +1, in standard deviations
  TargetKind kind = TargetKind::number;
  /// Classes may have the identity: their numbers 0 and 1 are then learned by least squares.
  TargetLink link = TargetLink::identity;
  /// The value of f that a device's scaled target 0 stands for, and one standard deviation of it, in the units of f.
  double link_zero = 0, link_unit = 1;
  EpsilonNano epsilon = 0;  ///< of a device's one report
  std::uint32_t steps = 0;  ///< T of multi-round and ldp-iht; 0: chosen from the other terms
  DeltaUnits delta = 0;     ///< that a report may spend
  LabelWay label = LabelWay::automatic;
  bool target_is_normal = false;  ///< labels: the target is declared normal, so that the bias of clipping is removed
  double target_deviation = 0;    ///< labels: declared standard deviation of the target; 0: from noise and norm
  std::uint32_t unit_q15 = 8192;  ///< one standard deviation of features and target, in Q15
  std::uint32_t minimum = 30;     ///< least number of reports with which a round can close
  std::optional<OnceTerms> once;  ///< only for protocols that collect once
  std::optional<BetweenTerms> between;    ///< the stage that tells devices apart, where the study asks for it
  std::optional<EverydayTerms> everyday;  ///< only for everyday questions; most other terms then mean nothing

  /// Standard deviation of the target.
  [[nodiscard]] double target_spread() const noexcept {
    return target_deviation > 0 ? target_deviation : std::sqrt(noise * noise + norm * norm);
  }
  /// The share of the target's variance that the model is assumed to explain, at most.
  [[nodiscard]] double explained() const noexcept { return norm * norm / (norm * norm + noise * noise); }
  /// In a device's own units the target has a variance of 1, of which the model explains this share.
  void assume_explained(double share) noexcept {
    norm = std::sqrt(share);
    noise = std::sqrt(1 - share);
  }
  /// Everybody who is expected to answer: those who teach, who validate, and who tell devices apart.
  [[nodiscard]] std::uint64_t all_devices() const noexcept {
    return devices + validators + (between ? between->devices : 0);
  }
  [[nodiscard]] double nats() const noexcept { return static_cast<double>(epsilon) / 1e9; }
  /// One standard deviation as a fraction of full scale, the unit in which devices compute.
  [[nodiscard]] double unit() const noexcept { return unit_q15 / 32768.0; }
};

/// The share of devices that a study leaves for validation where it does not say: a twentieth, or a tenth below an
/// epsilon of 3, where one answer says less; 30 of a small fleet, but no more than a fifth.
[[nodiscard]] constexpr double default_validation(std::uint64_t devices, EpsilonNano epsilon) noexcept {
  constexpr EpsilonNano k_three_nats = 3'000'000'000;
  constexpr double k_share_max = 0.2, k_devices = 30;
  const double share = epsilon < k_three_nats ? 0.1 : 0.05;
  const double few = devices == 0 ? k_share_max : k_devices / static_cast<double>(devices);
  return few < share ? share : few < k_share_max ? few : k_share_max;
}

}  // namespace sotto::analyzer
