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
  }
  return "";
}

std::string headline(const Model& m) {
  if (!m.function.inputs.empty()) return fmt::format("{}: what {} does", escape(m.study), escape(m.target));
  if (m.coefficients.empty()) return fmt::format("{}: nothing could be learned", escape(m.study));
  return fmt::format("{}: what moves {}", escape(m.study), escape(m.target));
}

std::string head(const Model& m) {
  std::string out = fmt::format(
      "<header>\n<p class=\"brand\">Sotto &middot; {}</p>\n<h1>{}</h1>\n<p class=\"lead\"><span class=\"verdict "
      "{}\">{}</span> {}</p>\n</header>\n",
      m.simulated ? "model of a simulated fleet" : "model", headline(m), verdict_class(m.verdict),
      verdict_text(m.verdict), escape(m.why_verdict));
  const auto card = [&out](std::string_view name, const std::string& value, const std::string& note) {
    out += fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
  };
  const auto found = std::ranges::count_if(m.coefficients, &Coefficient::found);
  out += "<dl class=\"cards\">\n";
  if (m.function.inputs.empty()) {
    card("Variables found", fmt::format("{}", found),
         fmt::format("{} in the model, of {} features", m.coefficients.size(), grouped(m.features)));
  } else {
    card("Features", grouped(m.features), "that the function takes");
  }
  card("Reports", grouped(m.reports_used), fmt::format("used, {} refused", grouped(m.reports_refused)));
  card("Epsilon", plain_number(m.epsilon),
       m.delta > 0 ? fmt::format("of one device, in nats, with delta {:.3g}", m.delta) : "of one device, in nats");
  card("Report", fmt::format("{:.4g} bytes", m.bytes_per_report), "and nothing else leaves a device");
  return out + "</dl>\n";
}

std::string again_section(const Model& m) {
  return fmt::format(
      "<section id=\"again\">\n<h2>Make this model again</h2>\n<p>Protocol {}: {} The same reports give the same "
      "model.</p>\n<pre>{}</pre>\n<p class=\"after\">Study <code>{}</code></p>\n</section>\n",
      escape(m.protocol), escape(m.why_protocol), escape(m.command), escape(m.study_digest));
}

std::string foot(const Model& m) {
  return fmt::format("<footer>{}{}</footer>\n", m.made_by.empty() ? "" : fmt::format("Made by {}. ", escape(m.made_by)),
                     m.simulated ? "The devices are simulated; each one ran the device library."
                                 : "The samples never left the devices that hold them.");
}

}  // namespace

std::string name_html(std::string_view name) { return "<bdi>" + escape(name) + "</bdi>"; }

std::string wide(std::string_view label, std::string_view inner) {
  return fmt::format("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n", escape(label),
                     inner);
}

std::string table_head(std::initializer_list<std::string_view> columns) {
  std::string out = "<table>\n<thead><tr>";
  for (const std::string_view column : columns) {
    out += column.starts_with('#') ? fmt::format("<th scope=\"col\" class=\"n\">{}</th>", escape(column.substr(1)))
                                   : fmt::format("<th scope=\"col\">{}</th>", escape(column));
  }
  return out + "</tr></thead>\n<tbody>\n";
}

std::string model_page(const Model& m, std::span<const double> truth) {
  const std::string body = head(m) + function_section(m, truth) + coefficients_section(m) + votes_section(m) +
                           error_section(m) + privacy_section(m) + sent_section(m) + assumed_section(m) +
                           reports_section(m) + again_section(m) + foot(m);
  return page("Sotto: " + m.study, body);
}

}  // namespace sotto::analyzer::html
