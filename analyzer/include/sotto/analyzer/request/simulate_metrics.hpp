// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What a simulation is measured by: metrics by name, over repeats.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

namespace sotto::analyzer::request {

/// A metric of one repeat; empty where it does not apply.
struct NamedMetric {
  const char* name;
  std::optional<double> (*of)(const RepeatResult&);
};

/// All metrics, in the order in which they are told.
[[nodiscard]] std::span<const NamedMetric> simulation_metrics();
/// Over the repeats to which the metric applies; empty if there are none.
[[nodiscard]] std::optional<Summary> summary_of(const ChoiceResults& results, const NamedMetric& metric);

[[nodiscard]] Json metrics_json(const ChoiceResults& results);
[[nodiscard]] Json verdicts_json(const ChoiceResults& results);
[[nodiscard]] Json reports_json(const ChoiceResults& results);
/// "3 learned, 1 uncertain, 0 cannot learn".
[[nodiscard]] std::string verdicts_text(const ChoiceResults& results);
/// The protocol with its variant.
[[nodiscard]] std::string name_of(const ChoiceResults& results);
/// The variant in which a protocol was run, if it has several.
[[nodiscard]] std::string_view mechanism_of(const ProtocolChoice& choice);
/// What an epsilon of this model protects.
[[nodiscard]] std::string_view unit_of(const Model& model);
/// "2 nats, pure, all samples of an installation".
[[nodiscard]] std::string guarantee_of(const Model& model);
/// The first variant that was not refused. There is one, as nothing is compared if all were refused.
[[nodiscard]] const ChoiceResults& first_asked(const std::vector<ChoiceResults>& all);

}  // namespace sotto::analyzer::request
