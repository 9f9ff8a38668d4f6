// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_protocol.hpp"

#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "between_text.hpp"
#include "say.hpp"
#include "sotto/analyzer/channel/utc_text.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/plan/study_request.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/validation/forecast.hpp"

namespace sotto::cli {

using analyzer::RegressionTerms;
using analyzer::Study;

namespace {

/// The columns that a device reads, and the numbers that they become in its rows.
Json columns_json(const Study& study) {
  Json columns = Json::array();
  for (const analyzer::StudyColumn& column : study.columns) {
    columns.push_back({{"name", column.name},
                       {"first", column.first},
                       {"features", column.features()},
                       {"levels", column.levels},
                       {"missing_feature", column.has_missing}});
  }
  return columns;
}

/// "numbers 2 to 5 of a row: 1 at north, south, west or other, 0 elsewhere".
std::string column_text(const analyzer::StudyColumn& column) {
  const std::uint32_t last = column.first + column.features() - 1;
  std::string text = column.features() == 1 ? fmt::format("number {} of a row", column.first)
                                            : fmt::format("numbers {} to {} of a row", column.first, last);
  if (!column.levels.empty()) text += fmt::format(": 1 at {} or other, 0 elsewhere", fmt::join(column.levels, ", "));
  if (column.has_missing)
    text += fmt::format("{} number {} is 1 where it is missing", column.levels.empty() ? ":" : ";", last);
  return text;
}

/// Why the plan asks nobody, or nothing. A study that cannot be compiled is told so where it is compiled.
std::string why_hopeless(const Study& study) {
  const auto compiled = analyzer::compile_study(study, analyzer::repeatable_seed(1));
  return compiled ? compiled.value().why_hopeless : "";
}

/// What may be expected of this fleet, before anything is spent.
void print_outlook(const Study& study) {
  if (const std::string why = why_hopeless(study); !why.empty()) {
    say("outlook     cannot learn, and nobody would be asked: {}\n", why);
    return;
  }
  const auto forecast = analyzer::forecast_gain(*study.regression);
  if (!forecast) return;
  say("outlook     a model that explains R^2 = {:.2f}, as assumed, has a gain of {:.2f}; {} devices measure it to "
      "{:.2f}\n",
      forecast->r2, forecast->gain, forecast->devices, forecast->margin);
  if (!forecast->can_say_learned())
    say("            too few to tell it from none: the verdict will hardly be \"learned\". About {} would be needed to "
        "validate, of {} devices in all, or a larger epsilon\n",
        forecast->devices_wanted,
        static_cast<std::uint64_t>(static_cast<double>(forecast->devices_wanted) *
                                   static_cast<double>(study.regression->devices + forecast->devices) /
                                   static_cast<double>(forecast->devices)));
}

Json outlook_json(const Study& study) {
  const std::string why = why_hopeless(study);
  if (!why.empty()) return {{"cannot_learn", why}};
  const auto forecast = analyzer::forecast_gain(*study.regression);
  if (!forecast) return Json::object();
  return {{"r2", forecast->r2},
          {"gain", forecast->gain},
          {"margin", forecast->margin},
          {"validators_wanted", forecast->devices_wanted},
          {"can_say_learned", forecast->can_say_learned()}};
}

}  // namespace

Json protocol_json(const Study& study) {
  const RegressionTerms& terms = *study.regression;
  Json json = {{"kind", terms.protocol->name},
               {"why", terms.why_protocol},
               {"mechanism", terms.once    ? way_name(terms.once->way)
                             : terms.paper ? "paper"
                                           : "default"},
               {"rounds", study.terms.weights.size()},
               {"weights", study.terms.weights},
               {"devices", terms.all_devices()},
               {"validators", terms.validators},
               {"units", terms.units == RowUnits::own ? "device" : "stated"},
               {"centre", terms.units == RowUnits::stated ? "fleet" : "device"},
               {"samples", terms.samples},
               {"features", terms.features},
               {"minimum", terms.minimum},
               {"target_kind", target_kind_name(terms.kind)},
               {"columns", columns_json(study)},
               {"outlook", outlook_json(study)},
               {"warnings", analyzer::warnings_of(study)},
               {"assumed_public", analyzer::assumed_public(terms)}};
  if (terms.between) json["between"] = between_plan_json(study);
  return json;
}

void print_protocol(const Study& study) {
  const RegressionTerms& terms = *study.regression;
  const std::vector<std::uint16_t>& weights = study.terms.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const analyzer::Quantity& target = study.terms.target_quantity;
  const std::string way = terms.once ? fmt::format(" ({})", way_name(terms.once->way)) : terms.paper ? " (paper)" : "";
  say("protocol    {}{}: {}\n", terms.protocol->name, way, terms.why_protocol);
  if (!terms.protocol->everyday)
    say("learns      {}{} from {} features\n", target.name.empty() ? "the target" : target.name,
        target.unit.empty() ? "" : fmt::format(" ({})", target.unit), terms.features);
  for (const analyzer::StudyColumn& column : study.columns) {
    if (!column.is_plain()) say("  {:<9} {}\n", column.name, column_text(column));
  }
  say("cohorts     {}, one for each round; every device belongs to one and answers once\n", weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double share = weights[i] / sum;
    const std::size_t between = weights.size() - study.plan->between_cohorts;
    const bool validates = i < between && i + study.plan->validation_cohorts >= between;
    const RoundTimes times = terms.rounds.of(static_cast<std::uint16_t>(i + 1));
    say("  round {:<4}  {:5.1f} % of devices, about {:.0f}{}{}\n", i + 1, 100 * share,
        share * static_cast<double>(terms.all_devices()),
        times.closes == 0 ? "" : fmt::format(", {}", analyzer::times_text(times)),
        validates      ? ": teaches nothing, measures the model"
        : i >= between ? ": " + between_cohort_text(study, i - between)
                       : "");
  }
  if (terms.protocol->from_all_rows) {
    say("rows        {}\n", terms.units == RowUnits::own       ? "each device centres and scales its own readings"
                            : terms.units == RowUnits::centred ? "in stated scales; each device takes its own means off"
                                                               : "in stated offsets and scales");
    if (terms.units != RowUnits::stated)
      say("levels      {}\n",
          terms.units == RowUnits::own
              ? "not used: why one device is higher than another is not explained. Where that matters, state offset "
                "and "
                "scale of every column, units = \"stated\", and centre = \"fleet\" (or ask in a stage [between])"
              : "not used: why one device is higher than another is not explained. Where that matters and offsets are "
                "right, centre = \"fleet\" (or ask in a stage [between])");
  }
  print_outlook(study);
  print_between_plan(study);
  for (const std::string& warning : analyzer::warnings_of(study)) say("warning     {}\n", warning);
  say("assumed public\n");
  for (const std::string& what : analyzer::assumed_public(terms)) say("  {}\n", what);
}

}  // namespace sotto::cli
