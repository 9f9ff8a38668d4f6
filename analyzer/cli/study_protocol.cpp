// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_protocol.hpp"

#include <numeric>

#include <fmt/format.h>

#include "say.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"

namespace sotto::cli {

using analyzer::RegressionTerms;
using analyzer::Study;

Json protocol_json(const Study& study) {
  const RegressionTerms& terms = *study.regression;
  return {{"kind", terms.protocol->name},
          {"why", terms.why_protocol},
          {"mechanism", terms.once    ? way_name(terms.once->way)
                        : terms.paper ? "paper"
                                      : "default"},
          {"rounds", study.terms.weights.size()},
          {"weights", study.terms.weights},
          {"devices", terms.devices + terms.validators},
          {"validators", terms.validators},
          {"units", terms.units == RowUnits::own ? "device" : "stated"},
          {"centre", terms.units == RowUnits::stated ? "fleet" : "device"},
          {"samples", terms.samples},
          {"features", terms.features},
          {"minimum", terms.minimum},
          {"assumed_public", analyzer::assumed_public(terms)}};
}

void print_protocol(const Study& study) {
  const RegressionTerms& terms = *study.regression;
  const std::vector<std::uint16_t>& weights = study.terms.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const analyzer::Quantity& target = study.terms.target_quantity;
  const std::string way = terms.once ? fmt::format(" ({})", way_name(terms.once->way)) : terms.paper ? " (paper)" : "";
  say("protocol    {}{}: {}\n", terms.protocol->name, way, terms.why_protocol);
  say("learns      {}{} from {} features\n", target.name.empty() ? "the target" : target.name,
      target.unit.empty() ? "" : fmt::format(" ({})", target.unit), terms.features);
  say("cohorts     {}, one for each round; every device belongs to one and answers once\n", weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / sum;
    const bool validates = i + study.plan->validation_cohorts >= weights.size();
    say("  round {:<4}  {:5.1f} % of devices, about {:.0f}{}\n", i + 1, 100 * share,
        share * static_cast<double>(terms.devices + terms.validators),
        validates ? ": teaches nothing, measures the model" : "");
  }
  if (terms.protocol->from_all_rows) {
    say("rows        {}\n", terms.units == RowUnits::own       ? "each device centres and scales its own readings"
                            : terms.units == RowUnits::centred ? "in stated scales; each device takes its own means off"
                                                               : "in stated offsets and scales");
  }
  say("assumed public\n");
  for (const std::string& what : analyzer::assumed_public(terms)) say("  {}\n", what);
}

}  // namespace sotto::cli
