// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/collected_vote.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "sotto/analyzer/collect/vote_model.hpp"
#include "sotto/analyzer/compile/compile.hpp"

namespace sotto::analyzer {

Result<std::unique_ptr<CollectedVote>> CollectedVote::open(const Study& study, RunStore& store,
                                                           const std::optional<MasterKey>& master) {
  Result<RunSettings> settings = settings_of(study, store);
  if (!settings) return settings.error();
  std::unique_ptr<CollectedVote> vote(new CollectedVote(study, store, std::move(settings).value()));
  if (const auto begun = vote->begin(master); !begun) return begun.error();
  StudySeed seed;
  std::copy_n(vote->manifest_.seed, seed.size(), seed.begin());
  Result<CompiledStudy> compiled = compile_study(study, seed);
  if (!compiled) return compiled.error();
  vote->asked_ = std::move(compiled.value().round);
  if (const auto shown = vote->show(vote->asked_); !shown) return shown.error();
  if (!vote->sink_->is_closed()) return vote;
  Result<RoundAggregate> sums = vote->sink_->close_round();
  if (!sums) return sums.error();
  vote->sums_ = std::move(sums).value();
  vote->round_.reset();
  return vote;
}

Result<Done> CollectedVote::close() {
  if (!round_) return finished();
  if (const auto kept = sink_->keep_refusals(); !kept) return kept;
  Result<RoundAggregate> sums = sink_->sums();
  if (!sums) return sums.error();
  if (sums.value().used() < study_.terms.minimum) {
    return Error{"protocol.too_few", "the vote has too few reports to close",
                 fmt::format("{} used, {} needed", sums.value().used(), study_.terms.minimum),
                 "collect more; study.minimum sets the number"};
  }
  if (const auto closed = sink_->close_round(sums.value()); !closed) return closed;
  sums_ = std::move(sums).value();
  return show({});
}

Model CollectedVote::model() const {
  const Result<Model> made =
      vote_model({study_, manifest_, asked_, sums_.value().votes(), sink_->counts(), settings_.command});
  if (!made) throw std::logic_error("a round that was compiled here cannot be read");
  return made.value();
}

}  // namespace sotto::analyzer
