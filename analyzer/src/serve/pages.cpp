// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "pages.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "cluster_view.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer {
namespace {

using html::Html;
using html::markup;

std::string time_text(std::int64_t seconds) {
  if (seconds == 0) return "-";
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

Html card(std::string_view name, std::string_view id, const std::string& value) {
  return markup("<div><dt>{}</dt><dd id=\"{}\">{}</dd></div>\n", name, id, value);
}

/// A button that sends a form of the session.
Html button(const StudyService& service, std::string_view what, std::string_view text, const std::string& form_secret,
            const Html& inside = {}) {
  return markup(
      "<form method=\"post\" action=\"/v1/studies/{}/{}\"><input type=\"hidden\" name=\"csrf\" value=\"{}\">{}"
      "<button>{}</button></form>\n",
      service.digest(), what, form_secret, inside, text);
}

Html arrivals_chart(const StudyView& view) {
  constexpr int k_width = 600, k_height = 80, k_step = k_width / static_cast<int>(k_arrival_minutes);
  const std::uint64_t most = std::max<std::uint64_t>(1, *std::ranges::max_element(view.arrivals));
  Html bars;
  for (std::size_t i = 0; i < view.arrivals.size(); ++i) {
    const auto height = static_cast<int>(view.arrivals[i] * (k_height - 4) / most);
    bars += markup("<rect class=\"point\" data-minute=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", i,
                   static_cast<int>(i) * k_step, k_height - height, k_step - 2, height);
  }
  return markup(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"accepted reports in each of the last 60 minutes\" "
      "id=\"arrivals\">{}</svg>\n",
      k_width, k_height, bars);
}

Html refusals(const StudyView& view) {
  Html rows;
  for (std::size_t i = 1; i < k_reasons; ++i) {
    const std::string name(reason_name(static_cast<Reason>(i)));
    rows += markup("<tr><th>{}</th><td class=\"n\" data-name=\"reports\" id=\"reason-{}\">{}</td></tr>\n", name, name,
                   view.counts.of[i]);
  }
  return rows;
}

Html progress(const StudyService& service, const StudyView& view) {
  const std::uint64_t accepted = view.of_round[Reason::accepted], minimum = service.study().terms.minimum;
  const std::uint64_t goal = std::max(minimum, service.rule().target);
  return markup("<p><progress id=\"progress\" max=\"{}\" value=\"{}\">{}</progress></p>\n",
                std::max<std::uint64_t>(1, goal), std::min(accepted, goal), accepted);
}

Html promise(const StudyService& service) {
  const Study& study = service.study();
  const Result<Manifest> manifest = read_manifest(service.manifest(), "the manifest");
  Html list;
  const PrivacyStatement statement = manifest ? state_privacy(study.spec, manifest.value().authenticated,
                                                              manifest.value().answers, manifest.value().unit)
                                              : state_privacy(study.spec);
  for (const std::string& sentence : statement.sentences) list += markup("<li>{}</li>\n", sentence);
  return markup("<section><h2>What a device sends</h2>\n<p>{}</p><ul class=\"plain\">{}</ul></section>\n",
                study.question, list);
}

Html log_of(const StudyView& view) {
  Html rows;
  for (auto event = view.events->rbegin(); event != view.events->rend(); ++event) {
    rows += markup(
        "<tr><th>{}</th><td data-name=\"what\">{}</td><td class=\"n\" data-name=\"round\">{}</td>"
        "<td data-name=\"until\">{}</td></tr>\n",
        time_text(event->at), event->what, event->round, time_text(event->until));
  }
  return markup(
      "<section><h2>What happened</h2><table><thead><tr><th>when</th><th>what</th><th class=\"n\">round</th>"
      "<th>until</th></tr></thead><tbody id=\"events\" data-count=\"{}\">{}</tbody></table></section>\n",
      view.events->size(), rows);
}

}  // namespace

std::string login_page(bool was_wrong) {
  Html body(
      "<header><p class=\"brand\">Sotto</p><h1>Operator</h1></header>\n<section><form method=\"post\" "
      "action=\"/login\"><p><label>Token <input type=\"password\" name=\"token\" autocomplete=\"off\" "
      "required></label> <button>Log in</button></p></form>\n");
  if (was_wrong) body += "<p class=\"verdict cannot\" role=\"alert\">This is not the token.</p>\n";
  return html::live_page("Sotto: log in", body + "</section>\n");
}

std::string studies_page(const std::vector<std::unique_ptr<StudyService>>& services, const std::string& form_secret) {
  Html rows;
  for (const auto& service : services) {
    const std::shared_ptr<const StudyView> view = service->view();
    rows += markup(
        "<tr><th><a href=\"/studies/{}\">{}</a></th><td data-name=\"state\">{}</td><td class=\"n\" data-name=\"round\">"
        "{} of {}</td><td class=\"n\" data-name=\"accepted\">{}</td></tr>\n",
        service->digest(), service->study().name, stage_name(view->stage), view->number,
        service->study().terms.weights.size(), view->of_round[Reason::accepted]);
  }
  return html::live_page(
      "Sotto: studies",
      markup("<header><p class=\"brand\">Sotto</p><h1>Studies</h1></header>\n<section><table><thead><tr><th>study</th>"
             "<th>state</th><th class=\"n\">round</th><th class=\"n\">accepted in it</th></tr></thead><tbody>{}</tbody>"
             "</table></section>\n<form method=\"post\" action=\"/logout\"><input type=\"hidden\" name=\"csrf\" "
             "value=\"{}\"><p><button>Log out</button></p></form>\n",
             rows, form_secret));
}

std::string study_page(const StudyService& service, const std::string& form_secret) {
  const std::shared_ptr<const StudyView> view = service.view();
  const Study& study = service.study();
  const bool is_open = view->stage == Stage::open || view->stage == Stage::stalled;
  Html body = markup(
      "<header id=\"live\" data-study=\"{}\"><p class=\"brand\"><a href=\"/\">Sotto</a></p><h1>{}</h1>\n"
      "<p class=\"lead\">Study <code>{}</code>, protocol {}. No estimate is shown before the last round: whoever stops "
      "when the numbers please has no intervals.</p></header>\n",
      service.digest(), study.name, service.digest().substr(0, 16), study.regression->protocol->name);
  body += "<dl class=\"cards\">\n";
  body += card("state", "state", std::string(stage_name(view->stage)));
  body += card("round", "round", fmt::format("{} of {}", view->number, study.terms.weights.size()));
  body += card("accepted", "accepted", fmt::format("{}", view->of_round[Reason::accepted]));
  body += card("minimum", "minimum", fmt::format("{}", study.terms.minimum));
  body += card("target", "target", service.rule().target == 0 ? "-" : fmt::format("{}", service.rule().target));
  body += card("closes", "deadline", time_text(view->deadline));
  body += card("last stored", "last-commit", time_text(view->last_commit));
  body += "</dl>\n<section><h2>This round</h2>\n";
  body += progress(service, *view);
  body += "<p>Accepted reports in each of the last 60 minutes:</p>\n";
  body += arrivals_chart(*view);
  if (is_open && !form_secret.empty()) {
    body += button(service, "close", "Close this round", form_secret);
    body +=
        button(service, "extend", "Extend it", form_secret,
               Html("<label>by seconds <input name=\"seconds\" type=\"number\" min=\"1\" value=\"86400\"></label> "));
    body += button(service, "abandon", "Abandon the study", form_secret);
  }
  if (view->stage == Stage::finished)
    body += markup("<p><a id=\"model\" href=\"/studies/{}/model\">The model</a></p>\n", service.digest());
  body += "</section>\n<section><h2>Reports that do not count</h2><table class=\"facts\"><tbody>\n";
  body += refusals(*view);
  body += "</tbody></table></section>\n";
  if (view->cluster) body += cluster_section(*view->cluster);
  body += promise(service);
  body += log_of(*view);
  return html::live_page("Sotto: " + study.name, body);
}

std::string_view live_script() noexcept {
  return R"('use strict';
// Follows a study: numbers change in place; where the round or the state changes, the page is loaded again.
const live = document.getElementById('live');
if (live) {
  const source = new EventSource('/v1/studies/' + live.dataset.study + '/events');
  const put = (id, text) => { const at = document.getElementById(id); if (at) at.textContent = text; };
  const shown = document.getElementById('events');
  source.onmessage = (message) => {
    const now = JSON.parse(message.data);
    if (shown && String(now.events.length) !== shown.dataset.count) { source.close(); location.reload(); return; }
    put('state', now.state);
    put('accepted', String(now.reports.used));
    if (now.last_commit) put('last-commit', new Date(now.last_commit * 1000).toISOString().slice(0, 16).replace('T', ' ') + ' UTC');
    for (const [reason, count] of Object.entries(now.all_reports.by_reason)) put('reason-' + reason, String(count));
    for (const [number, one] of (now.cluster ? now.cluster.partitions : []).entries()) put('lag-' + number, String(one.lag));
    const progress = document.getElementById('progress');
    if (progress) progress.value = Math.min(now.reports.used, progress.max);
    const most = Math.max(1, ...now.arrivals);
    now.arrivals.forEach((count, minute) => {
      const bar = document.querySelector('#arrivals [data-minute="' + minute + '"]');
      const height = Math.floor(count * 76 / most);
      if (bar) { bar.setAttribute('height', height); bar.setAttribute('y', 80 - height); }
    });
  };
}
)";
}

}  // namespace sotto::analyzer
