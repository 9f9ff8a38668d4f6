// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/coordinator.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/cluster/entry.hpp"
#include "sotto/analyzer/cluster/partition_sums.hpp"
#include "sotto/analyzer/plan/compare.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

namespace sotto::analyzer {
namespace {

std::int64_t coordinator_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool is_asking(StudyStep step) {
  return step == StudyStep::open || step == StudyStep::extended || step == StudyStep::stalled;
}

}  // namespace

Result<std::unique_ptr<Coordinator>> Coordinator::open(CoordinatedStudy study, SharedLog& log,
                                                       std::uint32_t partitions) {
  if (study.study->terms.minimum == 0) {
    return Error{"collect.no_minimum", "a round of a real study needs a minimum number of reports", "study.minimum = 0",
                 "set study.minimum in study.toml; 30 is usual"};
  }
  std::unique_ptr<Coordinator> made(new Coordinator(std::move(study), log, partitions));
  if (const auto begun = made->begin(); !begun) return begun.error();
  return made;
}

Result<Done> Coordinator::begin() {
  const Result<Manifest> manifest = read_manifest(study_.manifest, "the manifest");
  if (!manifest) return manifest.error();
  manifest_ = manifest.value();
  Result<std::unique_ptr<Protocol>> protocol = start_protocol(*study_.study, manifest_, study_.design);
  if (!protocol) return protocol.error();
  protocol_ = std::move(protocol).value();
  const Result<std::optional<std::vector<std::uint8_t>>> first = protocol_->open();
  if (!first) return first.error();
  round_ = first.value();
  return Done{};
}

Result<Done> Coordinator::step() {
  if (const auto followed = follow(); !followed) return followed;
  return act();
}

/// Reads the states that others wrote.
Result<Done> Coordinator::follow() {
  for (;;) {
    const Result<std::optional<RoundState>> next = state_of(log_, states_.size() + 1);
    if (!next) return next.error();
    if (!next.value()) return Done{};
    if (const auto adopted = adopt(*next.value()); !adopted) return adopted;
  }
}

Result<bool> Coordinator::take(StudyStep step, std::int64_t until, std::string why) {
  RoundState next = states_.empty() ? RoundState{} : states_.back();
  if (step == StudyStep::opening && !states_.empty()) {
    const bool is_next = next.step == StudyStep::closed;
    next.round = static_cast<std::uint16_t>(next.round + (is_next ? 1 : 0));
    next.attempt = is_next ? 1 : next.attempt + 1;
  }
  next.step = step;
  next.at = coordinator_seconds();
  next.until = until;
  next.why = std::move(why);
  const Result<RoundState> stays = propose_state(log_, states_.size() + 1, next);
  if (!stays) return stays.error();
  if (const auto adopted = adopt(stays.value()); !adopted) return adopted.error();
  return stays.value() == next;
}

Result<Done> Coordinator::adopt(const RoundState& state) {
  if (state.step == StudyStep::closed) {
    Result<std::optional<Merged>> found = merged(state);
    if (!found) return found.error();
    if (!found.value()) {
      return Error{"cluster.damaged_sums", "the sums of a closed round are missing",
                   fmt::format("round {}", state.round), "restore the bucket of keys from a backup"};
    }
    if (const auto advanced = advance(*found.value()); !advanced) return advanced;
  }
  if (is_asking(state.step)) asked_ = round_;
  if (state.step == StudyStep::finished || state.step == StudyStep::abandoned || state.step == StudyStep::stopped)
    asked_.reset();
  states_.push_back(state);
  return Done{};
}

Result<Done> Coordinator::act() {
  if (states_.empty()) {
    const Result<bool> taken = take(StudyStep::opening, 0, "");
    if (!taken) return taken.error();
  }
  const RoundState state = states_.back();
  Result<bool> taken = false;
  switch (state.step) {
    case StudyStep::opening: {
      if (const auto marked = mark_everywhere(EntryKind::open, state); !marked) return marked;
      // A round that is opened again keeps its deadline.
      const bool is_new = state.attempt == 1 && study_.seconds > 0;
      const auto until = is_new ? coordinator_seconds() + static_cast<std::int64_t>(study_.seconds) : state.until;
      taken = take(StudyStep::open, until, "");
      break;
    }
    case StudyStep::open:
    case StudyStep::extended:
    case StudyStep::stalled: return look_at_the_rule(state);
    case StudyStep::closing: return decide(state);
    case StudyStep::closed: taken = take(round_ ? StudyStep::opening : StudyStep::finished, 0, ""); break;
    case StudyStep::finished:
    case StudyStep::abandoned: return mark_everywhere(EntryKind::end, state);
    case StudyStep::stopped: return Done{};
  }
  if (!taken) return taken.error();
  return Done{};
}

/// Others do the same: workers count the first marker of a kind in each partition.
Result<Done> Coordinator::mark_everywhere(EntryKind kind, const RoundState& state) {
  if (marked_ == states_.size()) return Done{};
  PartitionEntry entry{kind, state.round, state.attempt, {}};
  if (kind == EntryKind::open) entry.bytes = round_.value();
  const std::vector<std::uint8_t> bytes = encode_entry(entry);
  const std::string id = entry_id(bytes);
  for (std::uint32_t p = 0; p < partitions_; ++p) {
    if (const auto appended = log_.append(p, bytes, id); !appended) return appended.error();
  }
  marked_ = states_.size();
  return Done{};
}

Result<Done> Coordinator::look_at_the_rule(const RoundState& state) {
  const Result<std::optional<std::string>> alarm = alarm_of(log_);
  if (!alarm) return alarm.error();
  if (alarm.value()) {
    const Result<bool> taken = take(StudyStep::stopped, 0, *alarm.value());
    return taken ? Result<Done>(Done{}) : taken.error();
  }
  std::map<std::uint32_t, PartitionProgress> newest;
  for (const WorkerNote& note : worker_notes(log_)) {
    for (const PartitionProgress& one : note.partitions) {
      PartitionProgress& own = newest[one.partition];
      if (own.applied <= one.applied) own = one;
    }
  }
  std::uint64_t accepted = 0;
  for (const auto& [partition, one] : newest) accepted += one.round == state.round ? one.accepted : 0;
  const bool is_enough = accepted >= study_.study->terms.minimum;
  const bool is_full = study_.target > 0 && accepted >= study_.target;
  const bool is_over = state.step != StudyStep::stalled && state.until > 0 && coordinator_seconds() >= state.until;
  if (!is_over && !(is_full && is_enough)) return Done{};
  // A round that is stalled closes where it is full, as on one machine.
  const Result<bool> taken = is_enough ? take(StudyStep::closing, state.until, is_full ? "target" : "deadline")
                                       : take(StudyStep::stalled, state.until, "below the minimum");
  if (!taken) return taken.error();
  return Done{};
}

/// Closes for good where all sums are there and enough; opens the round once more where they are not.
Result<Done> Coordinator::decide(const RoundState& state) {
  if (const auto marked = mark_everywhere(EntryKind::close, state); !marked) return marked;
  const Result<std::optional<std::string>> alarm = alarm_of(log_);
  if (!alarm) return alarm.error();
  Result<bool> taken = false;
  if (alarm.value()) {
    taken = take(StudyStep::stopped, 0, *alarm.value());
    return taken ? Result<Done>(Done{}) : taken.error();
  }
  Result<std::optional<Merged>> found = merged(state);
  if (!found) return found.error();
  if (!found.value()) return Done{};  // workers are not there yet
  const std::uint64_t used = found.value()->sums.used(), minimum = study_.study->terms.minimum;
  std::string lacks;
  if (used < minimum) lacks = fmt::format("{} accepted, {} needed", used, minimum);
  if (lacks.empty()) {
    // Whether the protocol takes the sums is tried on another one: a refusal may leave it half changed.
    Result<std::unique_ptr<Protocol>> tried = start_protocol(*study_.study, manifest_, study_.design);
    if (!tried) return tried.error();
    for (const RoundAggregate& sums : closed_) {
      if (const auto opened = tried.value()->open(); !opened) return opened.error();
      if (const auto closed = tried.value()->close(sums); !closed) return closed.error();
    }
    if (const auto opened = tried.value()->open(); !opened) return opened.error();
    if (const auto closed = tried.value()->close(found.value()->sums); !closed) lacks = closed.error().message();
  }
  taken = lacks.empty() ? take(StudyStep::closed, 0, state.why) : take(StudyStep::opening, state.until, lacks);
  if (!taken) return taken.error();
  return Done{};
}

Result<std::optional<Coordinator::Merged>> Coordinator::merged(const RoundState& state) {
  const Result<Round> round = read_round(round_.value(), "the round");
  if (!round) return round.error();
  Result<RoundAggregate> sums = RoundAggregate::open(manifest_, round.value());
  if (!sums) return sums.error();
  Merged out{std::move(sums).value(), {}};
  for (std::uint32_t p = 0; p < partitions_; ++p) {
    const Result<std::optional<PartitionSums>> part = published_sums(log_, {state.round, state.attempt, p});
    if (!part) return part.error();
    if (!part.value()) return std::optional<Merged>{};
    const Result<RoundAggregate> own = RoundAggregate::load(manifest_, round.value(), part.value()->aggregate);
    if (!own) return own.error();
    if (const auto joined = out.sums.merge(own.value()); !joined) return joined.error();
    for (std::size_t i = 0; i < k_reasons; ++i) out.counts.of[i] += part.value()->counts.of[i];
  }
  return std::optional(std::move(out));
}

Result<Done> Coordinator::advance(const Merged& merged) {
  if (const auto closed = protocol_->close(merged.sums); !closed) return closed.error();
  if (const auto sized = sizes_.add(manifest_, *round_, merged.sums.used()); !sized) return sized.error();
  const Result<std::optional<std::vector<std::uint8_t>>> next = protocol_->open();
  if (!next) return next.error();
  closed_.push_back(merged.sums);
  counts_ = merged.counts;
  round_ = next.value();
  return Done{};
}

Model Coordinator::model() const {
  Model out = finish_model(*protocol_, {*study_.study, manifest_, sizes_, counts_, study_.command, false});
  tell_plan(*study_.study, out);
  return out;
}

}  // namespace sotto::analyzer
