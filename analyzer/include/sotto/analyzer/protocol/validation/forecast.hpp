// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the cohort that validates a model can tell, before anybody is asked.

#include <cstdint>
#include <optional>

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// How finely a model would be measured that explains what the study assumes.
struct GainForecast {
  double r2 = 0;                     ///< that the study assumes
  double gain = 0;                   ///< of such a model, as Validation::gain
  double margin = 0;                 ///< between the gain and its one-sided 95 % bound, from privacy alone
  std::uint64_t devices = 0;         ///< that validate
  std::uint64_t devices_wanted = 0;  ///< with which such a model is told from none, half of the time at least

  /// Such a model can come out as learned.
  [[nodiscard]] bool can_say_learned() const noexcept { return gain > margin; }
};

/// Nothing for classes, and where nobody validates. The noise of devices' differences comes on top.
[[nodiscard]] std::optional<GainForecast> forecast_gain(const RegressionTerms& terms);

}  // namespace sotto::analyzer
