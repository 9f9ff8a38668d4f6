// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include "sotto/analyzer/request/plan.hpp"

// A plan as JSON.
namespace sotto::analyzer::request {
namespace {

/// JSON has no infinity.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json outlook_row(const Outlook& o, double rate) {
  Json row = {{"protocol", o.protocol},
              {"metric", o.metric},
              {"predicted", finite(o.predicted)},
              {"low", finite(o.low)},
              {"high", finite(o.high)},
              {"verdict", prospect_text(o.prospect)},
              {"why", o.why},
              {"zero_model", o.zero},
              {"planned_by", planned_by_text(o.by)},
              {"f1", o.f1},
              {"share_found", tells_found(o) ? Json(o.found) : Json(nullptr)},
              {"interval_half_width", o.half_width > 0 ? Json(o.half_width) : Json(nullptr)},
              {"verdict_odds", {{"learned", o.learned}, {"uncertain", o.uncertain}, {"cannot learn", o.cannot}}},
              {"reports", o.reports},
              {"bytes_per_report", o.report_bytes},
              {"bytes", o.bytes},
              {"rounds", o.rounds},
              {"device",
               {{"instructions_m0", o.device.m0},
                {"instructions_m4", o.device.m4},
                {"work_bytes", o.device.work_bytes},
                {"report_bytes", o.report_bytes}}},
              {"smallest_cohort", o.smallest_cohort > 0 ? Json(o.smallest_cohort) : Json(nullptr)},
              {"fleets", o.fleets}};
  if (rate > 0) row["days"] = o.reports / rate;
  return row;
}

Json curve_json(const std::vector<CurveValue>& curve, const char* name) {
  Json rows = Json::array();
  for (const CurveValue& p : curve) {
    rows.push_back({{name, p.x},
                    {"predicted", finite(p.predicted)},
                    {"low", finite(p.low)},
                    {"high", finite(p.high)},
                    {"verdict", prospect_text(p.prospect)}});
  }
  return rows;
}

}  // namespace

Json plan_json(const PlanShown& shown) {
  const Plan& plan = shown.plan;
  Json recommended = outlook_row(plan.recommended, shown.rate);
  recommended["why_recommended"] = plan.why_recommended;
  Json protocols = Json::array();
  for (const Outlook& o : plan.protocols) protocols.push_back(outlook_row(o, shown.rate));
  Json guesses = Json::array();
  for (const WrongGuess& g : plan.guesses) {
    guesses.push_back({{"if", g.what},
                       {"predicted", finite(g.predicted)},
                       {"zero_model", g.zero},
                       {"verdict", prospect_text(g.prospect)}});
  }
  Json json = {{"recommended", recommended}, {"protocols", protocols}};
  const bool has_needs = plan.needs.has_value();
  json["devices_needed"] = has_needs && plan.needs->devices ? Json(*plan.needs->devices) : Json(nullptr);
  json["epsilon_needed"] = has_needs && plan.needs->epsilon ? Json(*plan.needs->epsilon) : Json(nullptr);
  json["lower_bound"] = {{"value", plan.bound.value},
                         {"formula", plan.bound.formula},
                         {"source", plan.bound.source},
                         {"caveat", plan.bound.caveat}};
  json["smallest_effect"] = plan.smallest_effect ? Json(*plan.smallest_effect) : Json(nullptr);
  json["by_devices"] = curve_json(plan.by_devices, "devices");
  json["by_epsilon"] = curve_json(plan.by_epsilon, "epsilon");
  json["if_wrong"] = guesses;
  json["devices"] = shown.request.fleet.world.devices;
  json["epsilon"] = shown.request.fleet.epsilon;
  return json;
}

}  // namespace sotto::analyzer::request
