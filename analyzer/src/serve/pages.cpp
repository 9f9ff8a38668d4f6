// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "pages.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "cluster_view.hpp"
#include "live_charts.hpp"
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

Html card(std::string_view name, std::string_view id, const std::string& value, const std::string& note = {}) {
  return markup("<div><dt>{}</dt><dd><span id=\"{}\">{}</span>{}</dd></div>\n", name, id, value,
                note.empty() ? Html() : markup("<small>{}</small>", note));
}

/// A card of a time; none where there is no time.
Html time_card(std::string_view name, std::string_view id, std::int64_t seconds) {
  const std::string text = time_text(seconds);
  constexpr std::size_t k_date = 10, k_time = 5;
  return seconds == 0 ? Html() : card(name, id, text.substr(k_date + 1, k_time), text.substr(0, k_date) + " UTC");
}

/// How many of the reports that came count.
std::string acceptance(const StudyView& view) {
  const std::uint64_t all = view.counts.total();
  if (all == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(view.counts[Reason::accepted]) / static_cast<double>(all));
}

/// A button that sends a form of the session.
Html button(const StudyService& service, std::string_view what, std::string_view text, const std::string& form_secret,
            const Html& inside = {}) {
  return markup(
      "<form method=\"post\" action=\"/v1/studies/{}/{}\"><input type=\"hidden\" name=\"csrf\" value=\"{}\">{}"
      "<button class=\"{}\">{}</button></form>\n",
      service.digest(), what, form_secret, inside, what == "abandon" ? "grave" : "", text);
}

/// What the round still waits for.
Html progress(const StudyService& service, const StudyView& view) {
  const std::uint64_t accepted = view.of_round[Reason::accepted], minimum = service.study().terms.minimum;
  const std::uint64_t target = service.rule().target, goal = std::max(minimum, target);
  return markup(
      "<progress id=\"progress\" max=\"{}\" value=\"{}\">{}</progress>\n<p "
      "class=\"ends\"><span>{}</span><span>{}</span></p>\n",
      std::max<std::uint64_t>(1, goal), std::min(accepted, goal), accepted,
      fmt::format("closes with {} at least", minimum), target == 0 ? "" : fmt::format("by itself at {}", target));
}

Html promise(const StudyService& service) {
  const Study& study = service.study();
  const Result<Manifest> manifest = read_manifest(service.manifest(), "the manifest");
  Html list;
  const PrivacyStatement statement = manifest ? state_privacy(study.spec, manifest.value().authenticated,
                                                              manifest.value().answers, manifest.value().unit)
                                              : state_privacy(study.spec);
  for (const std::string& sentence : statement.sentences) {
    // With tickets nobody who issues or collects can do this alone.
    if (service.ticket_key().empty() || !sentence.starts_with("Pseudonyms are issued"))
      list += markup("<li>{}</li>\n", sentence);
  }
  if (!service.ticket_key().empty())
    list +=
        "<li>Devices enrol with tickets of another party: who collects does not know them, who issued sees no "
        "report. Both together could link the two by times and addresses.</li>\n";
  const std::string asked =
      study.regression ? "One report, to one of the rounds. What it is about stays on the device." : study.question;
  return markup("<section><h2>What a device sends</h2>\n<p>{}</p><ul class=\"plain\">{}</ul></section>\n", asked, list);
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
        service->digest(), service->study().name, stage_name(view->stage), view->number, service->rounds(),
        view->of_round[Reason::accepted]);
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
      service.digest(), study.name, service.digest().substr(0, 16), service.protocol());
  if (view->stage == Stage::finished)
    body += markup("<p class=\"ready\"><a id=\"model\" href=\"/studies/{}/model\">The model is ready</a></p>\n",
                   service.digest());
  body += "<dl class=\"cards\">\n";
  body += card("state", "state", std::string(stage_name(view->stage)));
  body += card("round", "round", fmt::format("{} of {}", view->number, service.rounds()));
  body += card("accepted in it", "accepted", fmt::format("{}", view->of_round[Reason::accepted]));
  body += card("of all reports", "acceptance", acceptance(*view), "count");
  body += time_card("closes", "deadline", is_open ? view->deadline : 0);
  body += is_open && view->last_commit == 0 ? card("last stored", "last-commit", "-")
                                            : time_card("last stored", "last-commit", view->last_commit);
  body += "</dl>\n<section><h2>Rounds</h2>\n" + rounds_chart(service, *view);
  if (is_open) body += progress(service, *view);
  body += "<h3>Accepted reports in each of the last 60 minutes</h3>\n";
  body += arrivals_chart(*view);
  if (is_open && !form_secret.empty()) {
    body += "<div class=\"orders\">\n" + button(service, "close", "Close this round", form_secret);
    body += button(service, "extend", "Extend it", form_secret,
                   Html("<label>from now by seconds <input name=\"seconds\" type=\"number\" min=\"1\" "
                        "value=\"86400\"></label> "));
    body += button(service, "abandon", "Abandon the study", form_secret) + "</div>\n";
  }
  body += "</section>\n<section><h2>Reports that do not count</h2>\n" + refusals(*view) + "</section>\n";
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
    if (now.all_reports.count) put('acceptance', (100 * now.all_reports.used / now.all_reports.count).toFixed(1) + ' %');
    if (now.last_commit) put('last-commit', new Date(now.last_commit * 1000).toISOString().slice(11, 16));
    for (const [reason, count] of Object.entries(now.all_reports.by_reason)) {
      put('reason-' + reason, String(count));
      const share = document.getElementById('share-' + reason);
      if (!share) continue;
      share.max = Math.max(1, now.all_reports.count);
      share.value = count;
      share.closest('tr').hidden = count === 0;
    }
    const none = document.getElementById('none-refused');
    if (none) none.hidden = now.all_reports.refused > 0;
    for (const [number, one] of (now.cluster ? now.cluster.partitions : []).entries()) put('lag-' + number, String(one.lag));
    const progress = document.getElementById('progress');
    if (progress) progress.value = Math.min(now.reports.used, progress.max);
    const most = Math.max(1, ...now.arrivals);
    put('most', String(Math.max(...now.arrivals)));
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
