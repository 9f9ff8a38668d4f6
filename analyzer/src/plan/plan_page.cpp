// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/plan_page.hpp"

#include <cmath>

#include <fmt/format.h>

#include "curve_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

namespace sotto::analyzer::html {
namespace {

std::string_view class_of(Prospect prospect) {
  switch (prospect) {
    case Prospect::learnable: return "learned";
    case Prospect::uncertain: return "uncertain";
    case Prospect::cannot_learn: break;
  }
  return "cannot";
}

std::string plainly(const Outlook& best) {
  const double left = best.zero > 0 ? 100 * best.predicted / best.zero : 100;
  switch (best.prospect) {
    case Prospect::learnable:
      return fmt::format(
          "This fleet should learn it: {:.0f} % of the error of an answer that nobody was asked for would "
          "be left.",
          left);
    case Prospect::uncertain:
      return "This fleet may learn something: fleets like it differ much in what they learn, or learn only a part.";
    case Prospect::cannot_learn: break;
  }
  return "This fleet would learn hardly more than a model that says nothing. Do not ask it this way: no device would "
         "get "
         "anything for its epsilon.";
}

Html plan_head(const PlanRequest& request, const Plan& plan, double rate) {
  const Outlook& best = plan.recommended;
  const SyntheticSpec& world = request.fleet.world;
  Html out = markup(
      "<header>\n<p class=\"brand\">Sotto &middot; plan</p>\n<h1>What {} devices could tell at epsilon {}</h1>\n<p "
      "class=\"plainly\">{}</p>\n<p class=\"lead\"><span class=\"verdict {}\">{}</span> Take {}: {}.</p>\n</header>\n",
      grouped(world.devices), plain_number(request.fleet.epsilon), plainly(best), class_of(best.prospect),
      prospect_text(best.prospect), best.protocol, plan.why_recommended);
  out += "<dl class=\"cards\">\n";
  const auto card = [&out](std::string_view name, const std::string& value, const std::string& note) {
    out += markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
  };
  card(best.metric == "l2_squared_error" ? "Squared error" : "Error", short_number(best.predicted),
       fmt::format("{} to {} in four fleets of five; {} if nothing is said", short_number(best.low),
                   short_number(best.high), short_number(best.zero)));
  card("Lower bound", short_number(plan.bound.value), plan.bound.formula + ": " + plan.bound.source);
  card("Reports", grouped(static_cast<std::uint64_t>(best.reports)),
       fmt::format("{} rounds, {:.0f} bytes each{}", best.rounds, best.report_bytes,
                   rate > 0 ? fmt::format(", {:.1f} days", best.reports / rate) : ""));
  card("Verdict", fmt::format("{:.0f} %", 100 * best.learned),
       fmt::format("learned; {:.0f} % uncertain, {:.0f} % cannot learn", 100 * best.uncertain, 100 * best.cannot));
  if (plan.smallest_effect)
    card("Smallest effect", short_number(*plan.smallest_effect), "found in four fleets of five");
  if (plan.needs) {
    card("For the goal", plan.needs->devices ? grouped(*plan.needs->devices) : "no number",
         plan.needs->epsilon ? fmt::format("devices; or epsilon {}", short_number(*plan.needs->epsilon))
                             : "devices; no epsilon is enough");
  }
  return out + "</dl>\n";
}

Html curve_section(const std::vector<CurveValue>& curve, double own, double zero, std::string_view name) {
  if (curve.empty()) return {};
  RowsTable table({std::string(name), "#predicted", "#low", "#high", "verdict"});
  for (const CurveValue& p : curve) {
    table.row({escape(plain_number(p.x)), escape(short_number(p.predicted)), escape(short_number(p.low)),
               escape(short_number(p.high)), escape(prospect_text(p.prospect))});
  }
  const std::string title = fmt::format("Predicted error by {}", name);
  return markup("<section>\n<h2>{}</h2>\n", title) + curve_chart(curve, own, zero, name, title) +
         "<details><summary>The same as a table</summary>\n" + table.html(title) + "</details>\n</section>\n";
}

Html protocols_section(const Plan& plan) {
  RowsTable table({"protocol", "#predicted", "#low", "#high", "verdict", "#F1", "#learned", "#rounds", "#bytes"});
  for (const Outlook& o : plan.protocols) {
    table.row({escape(o.protocol), escape(short_number(o.predicted)), escape(short_number(o.low)),
               escape(short_number(o.high)), escape(prospect_text(o.prospect)), escape(fixed(o.f1, 2)),
               markup("{:.0f} %", 100 * o.learned), markup("{}", o.rounds),
               escape(grouped(static_cast<std::uint64_t>(o.bytes)))});
  }
  return "<section>\n<h2>Protocols</h2>\n" + table.html("Protocols") + "</section>\n";
}

Html guesses_section(const Plan& plan) {
  if (plan.guesses.empty()) return {};
  RowsTable table({"if", "#predicted", "#a model that says nothing", "verdict"});
  for (const WrongGuess& g : plan.guesses)
    table.row({escape(g.what), escape(short_number(g.predicted)), escape(short_number(g.zero)),
               escape(prospect_text(g.prospect))});
  return "<section>\n<h2>If a guess is wrong</h2>\n<p>Everything above rests on public guesses. Off by a factor of "
         "two, "
         "one at a time:</p>\n" +
         table.html("Wrong guesses") + "</section>\n";
}

}  // namespace

std::string plan_page(const PlanRequest& request, const Plan& plan, double rate) {
  const double zero = plan.recommended.zero;
  Html body = plan_head(request, plan, rate);
  body += curve_section(plan.by_devices, static_cast<double>(request.fleet.world.devices), zero, "devices");
  body += curve_section(plan.by_epsilon, request.fleet.epsilon, zero, "epsilon");
  body += protocols_section(plan);
  body += guesses_section(plan);
  body += markup(
      "<section>\n<h2>How this was made</h2>\n<p>{} fleets were drawn; {}. No device was asked, and nothing "
      "private went into it.</p>\n</section>\n",
      plan.recommended.fleets, planned_by_text(plan.recommended.by));
  return page("A plan", body);
}

}  // namespace sotto::analyzer::html
