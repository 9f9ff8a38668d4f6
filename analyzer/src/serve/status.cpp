// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "status.hpp"

#include <iterator>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "clock.hpp"
#include "cluster_view.hpp"

namespace sotto::analyzer {
namespace {

using Json = nlohmann::json;

Json counts_object(const ReasonCounts& counts) {
  Json by_reason = Json::object();
  for (std::size_t i = 0; i < k_reasons; ++i)
    by_reason[std::string(reason_name(static_cast<Reason>(i)))] = counts.of[i];
  const std::uint64_t used = counts[Reason::accepted];
  return {{"count", counts.total()}, {"used", used}, {"refused", counts.total() - used}, {"by_reason", by_reason}};
}

/// Text that came from a file may hold any bytes.
std::string dumped(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

Json time_or_null(std::int64_t seconds) { return seconds == 0 ? Json() : Json(seconds); }

}  // namespace

// Every acknowledgement is one of these: written without the tree of a JSON library, which costs more than the report.
std::string counts_text_json(const ReasonCounts& counts) {
  std::string text = "{\"by_reason\":{";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < k_reasons; ++i)
    fmt::format_to(out, "{}\"{}\":{}", i == 0 ? "" : ",", reason_name(static_cast<Reason>(i)), counts.of[i]);
  const std::uint64_t all = counts.total(), used = counts[Reason::accepted];
  fmt::format_to(out, "}},\"count\":{},\"refused\":{},\"used\":{}}}", all, all - used, used);
  return text;
}

std::string error_json(const Error& error) {
  return dumped({{"error", {{"code", error.code}, {"what", error.what}, {"value", error.value}, {"fix", error.fix}}}});
}

std::string status_json(const StudyService& service) {
  const std::shared_ptr<const StudyView> view = service.view();
  const Study& study = service.study();
  Json events = Json::array();
  for (const DeskEvent& event : *view->events) {
    events.push_back(
        {{"at", event.at}, {"what", event.what}, {"round", event.round}, {"until", time_or_null(event.until)}});
  }
  return dumped({{"cluster", view->cluster ? cluster_object(*view->cluster) : Json()},
                 {"study", study.name},
                 {"study_digest", service.digest()},
                 {"protocol", service.protocol()},
                 {"state", stage_name(view->stage)},
                 {"round", view->number},
                 {"rounds", service.rounds()},
                 {"minimum", study.terms.minimum},
                 {"target", service.rule().target == 0 ? Json() : Json(service.rule().target)},
                 {"opened", time_or_null(view->opened)},
                 {"deadline", time_or_null(view->deadline)},
                 {"now", seconds_now()},
                 {"last_commit", time_or_null(view->last_commit)},
                 {"waiting", service.waiting()},
                 {"reports", counts_object(view->of_round)},
                 {"all_reports", counts_object(view->counts)},
                 {"arrivals", view->arrivals},
                 {"events", events}});
}

std::string metrics_text(const std::vector<std::unique_ptr<StudyService>>& services, const HttpCounts& counts) {
  std::string text;
  const auto family = [&text](std::string_view name, std::string_view type, std::string_view help) {
    text += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  };
  const auto each = [&](std::string_view name, std::string_view type, std::string_view help, const auto& value) {
    family(name, type, help);
    for (const auto& service : services)
      text += fmt::format("{}{{study=\"{}\"}} {}\n", name, service->digest().substr(0, 16), value(*service->view()));
  };
  family("sotto_reports_total", "counter", "Reports by outcome.");
  for (const auto& service : services) {
    const std::shared_ptr<const StudyView> view = service->view();
    for (std::size_t i = 0; i < k_reasons; ++i) {
      text += fmt::format("sotto_reports_total{{study=\"{}\",reason=\"{}\"}} {}\n", service->digest().substr(0, 16),
                          reason_name(static_cast<Reason>(i)), view->counts.of[i]);
    }
  }
  each("sotto_round", "gauge", "Number of the open round, or of the last one.",
       [](const StudyView& view) { return std::uint64_t{view.number}; });
  each("sotto_round_accepted", "gauge", "Accepted reports of this round.",
       [](const StudyView& view) { return view.of_round[Reason::accepted]; });
  each("sotto_round_deadline_seconds", "gauge", "When the round is to close, in seconds since 1970; 0: no deadline.",
       [](const StudyView& view) { return view.deadline; });
  family("sotto_stage", "gauge", "1 for the stage that the study is in.");
  for (const auto& service : services) {
    const Stage own = service->view()->stage;
    for (const Stage stage : {Stage::open, Stage::stalled, Stage::abandoned, Stage::finished, Stage::stopped}) {
      text += fmt::format("sotto_stage{{study=\"{}\",stage=\"{}\"}} {}\n", service->digest().substr(0, 16),
                          stage_name(stage), stage == own ? 1 : 0);
    }
  }
  each("sotto_commits_total", "counter", "Groups of reports that were stored.",
       [](const StudyView& view) { return view.commits; });
  each("sotto_commit_seconds_total", "counter", "Time that storing took.",
       [](const StudyView& view) { return static_cast<double>(view.commit_microseconds) / 1e6; });
  each("sotto_index_bytes", "gauge", "Memory of the duplicate index.",
       [](const StudyView& view) { return view.index_bytes; });
  family("sotto_waiting_requests", "gauge", "Requests that wait for the disk.");
  for (const auto& service : services) {
    text +=
        fmt::format("sotto_waiting_requests{{study=\"{}\"}} {}\n", service->digest().substr(0, 16), service->waiting());
  }
  std::vector<std::pair<std::string, std::shared_ptr<const ClusterView>>> clusters;
  for (const auto& service : services) clusters.emplace_back(service->digest().substr(0, 16), service->view()->cluster);
  text += cluster_metrics(clusters);
  const auto alone = [&](std::string_view name, std::string_view type, std::string_view help, std::uint64_t value) {
    family(name, type, help);
    text += fmt::format("{} {}\n", name, value);
  };
  alone("sotto_connections", "gauge", "Open connections.", counts.connections);
  alone("sotto_refused_connections_total", "counter", "Connections beyond the limit.", counts.refused_connections);
  alone("sotto_http_requests_total", "counter", "Requests that were read.", counts.requests);
  alone("sotto_http_bad_requests_total", "counter", "Requests that could not be read.", counts.bad_requests);
  return text;
}

}  // namespace sotto::analyzer
