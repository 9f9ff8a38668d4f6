// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "clock.hpp"
#include "cluster_service.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"

// What is shown of a study on a cluster: its states as the log of one machine would tell them, and how far workers are.
namespace sotto::analyzer {
namespace {

Stage stage_of(StudyStep step) noexcept {
  switch (step) {
    case StudyStep::stalled: return Stage::stalled;
    case StudyStep::finished: return Stage::finished;
    case StudyStep::abandoned: return Stage::abandoned;
    case StudyStep::stopped: return Stage::stopped;
    default: return Stage::open;
  }
}

/// What the log of events says of a state; empty where it says nothing.
std::string told_of(const RoundState& state) {
  switch (state.step) {
    case StudyStep::open: return state.attempt == 1 ? "opened" : "";
    case StudyStep::opening: return state.attempt == 1 ? "" : "opened again: " + state.why;
    case StudyStep::closing: return "";
    case StudyStep::closed: return state.why == "operator" ? "closed by the operator" : "closed";
    case StudyStep::stopped: return "stopped: " + state.why;
    default: return std::string(step_name(state.step));
  }
}

}  // namespace

void ClusterService::tell_new_states() {
  const std::vector<RoundState>& states = coordinator_->states();
  for (; told_ < states.size(); ++told_)
    log_(step_name(states[told_].step), digest_text_,
         fmt::format("round {}, attempt {}", states[told_].round, states[told_].attempt));
}

void ClusterService::show_states() {
  const std::vector<RoundState>& states = coordinator_->states();
  auto events = std::make_shared<std::vector<DeskEvent>>();
  for (const RoundState& state : states) {
    if (std::string what = told_of(state); !what.empty())
      events->push_back({state.at, std::move(what), state.round, state.until});
    if (state.step == StudyStep::open && state.attempt == 1) now_.opened = state.at;
  }
  now_.events = std::move(events);
  if (states.empty()) return;
  now_.stage = stage_of(states.back().step);
  now_.number = states.back().round;
  now_.deadline = states.back().until;
  if (now_.round == coordinator_->asked()) return;
  now_.round = coordinator_->asked();
  if (!now_.round) return;
  if (const Result<Round> round = read_round(*now_.round, "the round"))
    now_.round_tag = hex_text(round_digest(round.value()));
}

void ClusterService::show() {
  tell_new_states();
  show_states();
  auto cluster = std::make_shared<ClusterView>();
  {
    const std::lock_guard hold(watched_);
    *cluster = cluster_;
  }
  ReasonCounts all, of_round;
  std::vector<ReasonCounts> counts(cluster->partitions.size());
  for (const WorkerNote& note : worker_notes(*served_.log->log)) {
    cluster->workers.push_back(note.worker);
    for (const PartitionProgress& one : note.partitions) {
      if (one.partition >= counts.size()) continue;
      PartitionView& own = cluster->partitions[one.partition];
      if (!own.worker.empty() && one.applied < own.applied) continue;
      own.worker = note.worker;
      own.applied = one.applied;
      own.accepted = one.round == now_.number ? one.accepted : 0;
      own.last = std::max(own.last, one.applied);
      counts[one.partition] = one.counts;
    }
  }
  for (std::size_t p = 0; p < counts.size(); ++p) {
    of_round.of[static_cast<std::size_t>(Reason::accepted)] += cluster->partitions[p].accepted;
    for (std::size_t i = 0; i < k_reasons; ++i) all.of[i] += counts[p].of[i];
  }
  now_.counts = all;
  now_.of_round = of_round;
  now_.commits = gateway_->appended();
  now_.last_commit = gateway_->last_append();
  const std::uint64_t accepted = all[Reason::accepted];
  count_arrivals(accepted > accepted_ && accepted_ > 0 ? accepted - accepted_ : 0);
  accepted_ = std::max(accepted_, accepted);
  now_.cluster = std::move(cluster);
  if (now_.stage == Stage::finished) {
    now_.counts = coordinator_->counts();
    if (const auto shown = show_model(); !shown) log_("failed", digest_text_, shown.error().message());
  }
  auto view = std::make_shared<const StudyView>(now_);
  const std::lock_guard hold(lock_);
  view_ = std::move(view);
}

Result<Done> ClusterService::show_model() {
  if (now_.model) return Done{};
  const Model model = coordinator_->model();
  now_.model = std::make_shared<const std::string>(model_json(model));
  now_.page = std::make_shared<const std::string>(html::model_page(model));
  if (const auto written = replace_file(served_.data / "report.html", *now_.page); !written) return written;
  return replace_file(served_.data / "model.json", *now_.model);
}

}  // namespace sotto::analyzer
