// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "clock.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "study_service.hpp"

// The rounds of a study: how they open, close, stall and end. Every transition is in the log of the desk.
namespace sotto::analyzer {

Result<Done> StudyService::open_run() {
  Result<std::unique_ptr<Collection>> run =
      Collection::open(served_.study, *store_, served_.master, served_.design.get());
  if (!run) return run.error();
  run_ = std::move(run).value();
  const Result<std::vector<DeskEvent>> events = desk_->events();
  if (!events) return events.error();
  now_.events = std::make_shared<const std::vector<DeskEvent>>(events.value());
  now_.number = run_->number();
  now_.round = run_->round();
  const Result<ReasonCounts> counts = run_->counts(now_.number);
  if (!counts) return counts.error();
  now_.of_round = counts.value();
  // The first round's opening is noted before a report is taken: a run with reports has a log.
  if (events.value().empty() && (now_.number > 1 || counts.value().total() != 0)) {
    return Error{"store.damaged", "the log of a collection that has reports is empty", "collection.sqlite",
                 "restore it from a backup, or collect into a new directory"};
  }
  now_.stage = Stage::open;
  now_.opened = now_.deadline = 0;
  for (const DeskEvent& event : events.value()) {
    if (event.round != now_.number) continue;
    if (event.what == "opened") now_.opened = event.at;
    if (event.what == "opened" || event.what == "extended" || event.what == "stalled") now_.deadline = event.until;
    if (event.what == "opened" || event.what == "extended") now_.stage = Stage::open;
    if (event.what == "stalled") now_.stage = Stage::stalled;
    if (event.what == "abandoned") now_.stage = Stage::abandoned;
  }
  if (!now_.round) return finish();
  const Result<Round> round = read_round(*now_.round, "the round");
  if (!round) return round.error();
  now_.round_tag = hex_text(round_digest(round.value()));
  if (served_.sign && now_.stage != Stage::abandoned) {
    Result<std::vector<std::uint8_t>> made = served_.sign(*now_.round);
    if (!made) return made.error();
    now_.round = std::move(made).value();
  }
  if (now_.stage == Stage::abandoned) {
    now_.round.reset();
    run_->abandon();
    return Done{};
  }
  if (now_.opened != 0) return Done{};
  // New, or the process ended between the closing of a round and this note.
  now_.opened = seconds_now();
  now_.deadline = served_.rule.seconds == 0 ? 0 : now_.opened + static_cast<std::int64_t>(served_.rule.seconds);
  return note("opened", now_.number, now_.deadline);
}

Result<Done> StudyService::note(std::string_view what, std::uint16_t round, std::int64_t until) {
  const DeskEvent event{seconds_now(), std::string(what), round, until};
  if (const auto added = desk_->add(event); !added) return added;
  auto events = std::make_shared<std::vector<DeskEvent>>(*now_.events);
  events->push_back(event);
  now_.events = std::move(events);
  log_(what, digest_text_, fmt::format("round {}", round));
  return Done{};
}

/// The model is computed once, stored, and written beside the store.
Result<Done> StudyService::finish() {
  const Model model = run_->model();
  Result<std::string> stored = store_->model();
  if (!stored) {
    if (stored.error().code != "store.no_model") return stored.error();
    if (const auto put = store_->put_model(model_json(model)); !put) return put;
    stored = store_->model();
    if (!stored) return stored.error();
  }
  now_.stage = Stage::finished;
  now_.deadline = 0;
  now_.model = std::make_shared<const std::string>(stored.value());
  now_.page = std::make_shared<const std::string>(html::model_page(model));
  if (const auto written = replace_file(served_.data / "report.html", *now_.page); !written) return written;
  if (const auto written = replace_file(served_.data / "model.json", *now_.model); !written) return written;
  for (const DeskEvent& event : *now_.events) {
    if (event.what == "finished") return Done{};
  }
  return note("finished", now_.number, 0);
}

std::optional<Error> StudyService::needs_open_round() const {
  if (now_.stage == Stage::finished)
    return Error{"serve.finished", "all rounds of this study are closed", served_.study.name, "its model is ready"};
  if (now_.stage == Stage::abandoned)
    return Error{"serve.abandoned", "this study was abandoned", served_.study.name, "ask again with a new study"};
  return std::nullopt;
}

Outcome StudyService::close_now(std::string_view who) {
  if (const auto refused = needs_open_round()) return {*refused, {}, {}};
  const std::uint64_t accepted = now_.of_round[Reason::accepted], minimum = served_.study.terms.minimum;
  if (accepted < minimum) {
    return {Error{"serve.below_minimum", fmt::format("round {} has too few reports to close", now_.number),
                  fmt::format("{} accepted, {} needed", accepted, minimum), "collect more, extend or abandon it"},
            {},
            {}};
  }
  const std::uint16_t number = now_.number;
  const Result<Done> closed = run_->close();
  if (!closed) {
    refused_at_ = accepted;
    log_("close_refused", digest_text_, closed.error().code);
    // What refused may have changed in memory: the run begins again from the store.
    if (const auto opened = open_run(); !opened) log_("failed", digest_text_, opened.error().code);
    publish();
    return {closed.error(), {}, {}};
  }
  refused_at_ = 0;
  if (const auto noted = note(who == "operator" ? "closed by the operator" : "closed", number, 0); !noted)
    log_("failed", digest_text_, noted.error().code);
  if (const auto opened = open_run(); !opened) {
    log_("failed", digest_text_, opened.error().code);
    return {opened.error(), {}, {}};
  }
  publish();
  return {};
}

Outcome StudyService::extend_now(std::uint64_t seconds) {
  if (const auto refused = needs_open_round()) return {*refused, {}, {}};
  const std::int64_t until = seconds_now() + static_cast<std::int64_t>(seconds);
  if (const auto noted = note("extended", now_.number, until); !noted) return {noted.error(), {}, {}};
  now_.deadline = until;
  now_.stage = Stage::open;
  publish();
  return {};
}

Outcome StudyService::abandon_now() {
  if (const auto refused = needs_open_round()) return {*refused, {}, {}};
  if (const auto kept = run_->keep_refusals(); !kept) return {kept.error(), {}, {}};
  if (const auto noted = note("abandoned", now_.number, 0); !noted) return {noted.error(), {}, {}};
  now_.stage = Stage::abandoned;
  now_.deadline = 0;
  now_.round.reset();
  run_->abandon();
  publish();
  return {};
}

void StudyService::look_at_the_clock() {
  if (now_.stage == Stage::finished || now_.stage == Stage::abandoned) return;
  const std::uint64_t accepted = now_.of_round[Reason::accepted];
  const bool enough = accepted >= served_.study.terms.minimum && accepted > refused_at_;
  const bool full = served_.rule.target > 0 && accepted >= served_.rule.target;
  const bool over = now_.stage == Stage::open && now_.deadline > 0 && seconds_now() >= now_.deadline;
  if ((full || over) && enough) {
    if (!close_now("rule").error || !over) return;
  }
  if (!over || now_.stage != Stage::open) return;
  now_.stage = Stage::stalled;
  if (const auto noted = note("stalled", now_.number, now_.deadline); !noted)
    log_("failed", digest_text_, noted.error().code);
  publish();
}

}  // namespace sotto::analyzer
