// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/model_page.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

std::string_view verdict_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::learned: return "learned";
    case Verdict::uncertain: return "uncertain";
    case Verdict::cannot_learn: return "cannot";
    case Verdict::not_measured: return "uncertain";
  }
  return "";
}

Html headline(const Model& m) {
  if (!m.everyday.kind.empty()) return markup("{}", m.study);
  if (!m.function.inputs.empty()) return markup("{}: what {} does", m.study, m.target);
  if (is_mean(m)) return markup("{}: averages", m.study);
  if (m.coefficients.empty()) return markup("{}: nothing could be learned", m.study);
  return markup("{}: what moves {}", m.study, m.target);
}

/// How well the model predicts: first, and larger than the rest.
Html worth_card(const Model& m) {
  const Validation& v = m.validation;
  if (!m.everyday.kind.empty() || is_mean(m) || !m.function.inputs.empty() || m.coefficients.empty()) return {};
  if (v.devices == 0) {
    return Html(
        "<div class=\"worth\"><dt>Held-out R&sup2;</dt><dd>not measured<small>no device was kept out of learning to "
        "measure the model</small></dd></div>\n");
  }
  const auto text = [&v](double x) { return v.classes ? fixed(100 * x, 1) + " %" : fixed(x, 2); };
  return markup(
      "<div class=\"worth\"><dt>{}</dt><dd>{} <span>{} to {}</span><small>{}; 95 % interval, measured on {} "
      "devices that taught nothing</small></dd></div>\n",
      v.classes ? Html("More rows right") : Html("Held-out R&sup2;"), text(v.r2()), text(v.low()), text(v.high()),
      v.classes ? "than the larger class" : "better than the device's own mean", grouped(v.devices));
}

Html head(const Model& m) {
  Html out = markup(
      "<header>\n<p class=\"brand\">Sotto &middot; {}</p>\n<h1>{}</h1>\n<p class=\"plainly\">{}</p>\n<p "
      "class=\"lead\"><span class=\"verdict {}\">{}</span> {}</p>\n</header>\n",
      m.simulated ? "model of a simulated fleet" : "model", headline(m), plain_words(m), verdict_class(m.verdict),
      verdict_text(m.verdict), m.why_verdict);
  const auto card = [&out](std::string_view name, const std::string& value, const std::string& note) {
    out += markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
  };
  const auto found = std::ranges::count_if(m.coefficients, &Coefficient::found);
  out += "<dl class=\"cards\">\n" + worth_card(m);
  if (!m.everyday.kind.empty()) {
    if (!m.everyday.estimates.empty()) {
      const EverydayEstimate& first = m.everyday.estimates.front();
      const bool is_share = m.everyday.kind == "event";
      const auto text = [&](double x) { return is_share ? fixed(100 * x, 2) + " %" : short_number(x); };
      card(first.name, text(first.value) + (first.unit.empty() ? "" : " " + first.unit),
           fmt::format("{} to {}, 95 % interval", text(first.low), text(first.high)));
    }
  } else if (m.function.inputs.empty()) {
    card("Variables found", fmt::format("{}", found),
         fmt::format("{} in the model, of {} features", m.coefficients.size(), grouped(m.features)));
  } else {
    card("Features", grouped(m.features), "that the function takes");
  }
  card("Reports", grouped(m.reports_used), fmt::format("used, {} refused", grouped(m.reports_refused)));
  card("Epsilon", plain_number(m.epsilon),
       m.delta > 0 ? fmt::format("of one {}, in nats, with delta {:.3g}", m.unit, m.delta)
                   : fmt::format("of one {}, in nats", m.unit));
  card("Report", fmt::format("{:.4g} bytes", m.bytes_per_report), "and nothing else leaves a device");
  return out + "</dl>\n";
}

Html again_section(const Model& m) {
  return markup(
      "<section id=\"again\">\n<h2>Make this model again</h2>\n<p>Protocol {}: {} The same reports give the same "
      "model.</p>\n<pre>{}</pre>\n<p class=\"after\">Study <code>{}</code></p>\n</section>\n",
      m.protocol, m.why_protocol, m.command, m.study_digest);
}

Html foot(const Model& m) {
  return markup("<footer>{}{}</footer>\n", m.made_by.empty() ? "" : fmt::format("Made by {}. ", m.made_by),
                m.simulated ? "The devices are simulated; each one ran the device library."
                            : "The samples never left the devices that hold them.");
}

}  // namespace

Html name_html(std::string_view name) { return markup("<bdi>{}</bdi>", name); }

std::string model_page(const Model& m, const SimulationFacts& facts) {
  const Html body = head(m) + everyday_section(m) + items_section(m) + cells_section(m) + function_section(m, facts) +
                    coefficients_section(m, facts) + between_section(m) + reading_section(m) + held_out_section(facts) +
                    votes_section(m) + error_section(m) + privacy_section(m) + sent_section(m) + assumed_section(m) +
                    reports_section(m) + again_section(m) + foot(m);
  return page("Sotto: " + m.study, body);
}

}  // namespace sotto::analyzer::html
