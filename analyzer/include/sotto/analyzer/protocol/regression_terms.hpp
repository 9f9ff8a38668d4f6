// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/analyzer/protocol/once_terms.hpp"
#include "sotto/analyzer/target_link.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

enum class ProtocolKind {
  cascade,
  boost,
  two_round,
  multi_round,
  sparse_mean,
  ldp_iht,
  sparse_mean_once,
  projected_regression,
  kernel_ridge,
  smooth_glm,
};
[[nodiscard]] std::string_view protocol_name(ProtocolKind kind);

/// Where the numbers that a study assumes come from.
enum class AssumedFrom {
  analyst,  ///< known or guessed
  truth,    ///< a synthetic fleet's own, where the command does not say otherwise
  data,     ///< offsets, scales and rows of a device were computed from the rows of training users
};

/// What a study of a sparse linear model or mean says beforehand. All of it is public: the analyst knows it or guesses it, and
/// the model repeats it. Sizes are in standard deviations of features and target.
struct RegressionTerms {
  ProtocolKind protocol = ProtocolKind::cascade;
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
  EpsilonNano epsilon = 0;        ///< of the one report of a device
  std::uint32_t steps = 0;        ///< T of multi-round; 0: what the study's numbers make best
  std::uint32_t unit_q15 = 8192;  ///< one standard deviation, of features and target
  std::uint32_t minimum = 30;     ///< reports below which a round does not close
  std::optional<OnceTerms> once;  ///< of protocols that collect once

  [[nodiscard]] double nats() const noexcept { return static_cast<double>(epsilon) / 1e9; }
  /// One standard deviation as a fraction of full scale, which is what devices count in.
  [[nodiscard]] double unit() const noexcept { return unit_q15 / 32768.0; }
};

/// Sets terms.protocol and says why. "auto" follows from the study alone; any other word is the protocol's name, or false.
bool choose_protocol(std::string_view word, RegressionTerms& terms);

}  // namespace sotto::analyzer
