// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/collected_run.hpp"

#include "sotto/analyzer/plan/compare.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

namespace sotto::analyzer {

Result<std::unique_ptr<CollectedRun>> CollectedRun::open(const Study& study, RunStore& store,
                                                         const std::optional<MasterKey>& master,
                                                         const PublicDesign* design) {
  Result<RunSettings> settings = settings_of(study, store);
  if (!settings) return settings.error();
  std::unique_ptr<CollectedRun> run(new CollectedRun(study, store, std::move(settings).value()));
  if (const auto begun = run->begin(master); !begun) return begun.error();
  Result<std::unique_ptr<Protocol>> protocol = start_protocol(study, run->manifest_, design);
  if (!protocol) return protocol.error();
  run->protocol_ = std::move(protocol).value();
  for (;;) {
    const Result<std::optional<std::vector<std::uint8_t>>> round = run->protocol_->open();
    if (!round) return round.error();
    if (const auto shown = run->show(round.value()); !shown) return shown.error();
    if (!run->round_ || !run->sink_->is_closed()) return run;
    const Result<RoundAggregate> sums = run->sink_->close_round();
    if (!sums) return sums.error();
    if (const auto sized = run->sizes_.add(run->manifest_, *run->round_, sums.value().used()); !sized)
      return sized.error();
    if (const auto closed = run->protocol_->close(sums.value()); !closed) return closed.error();
  }
}

Result<Done> CollectedRun::close() {
  if (!round_) return finished();
  if (const auto kept = sink_->keep_refusals(); !kept) return kept;
  const Result<RoundAggregate> sums = sink_->sums();
  if (!sums) return sums.error();
  // Every refusal happens before the store closes the round for good.
  if (const auto closed = protocol_->close(sums.value()); !closed) return closed.error();
  const Result<std::optional<std::vector<std::uint8_t>>> next = protocol_->open();
  if (!next) return next.error();
  if (const auto sized = sizes_.add(manifest_, *round_, sums.value().used()); !sized) return sized.error();
  if (const auto closed = sink_->close_round(sums.value()); !closed) return closed.error();
  return show(next.value());
}

Model CollectedRun::model() const {
  Model out =
      finish_model(*protocol_, {study_, manifest_, sizes_, sink_->counts(), settings_.command, settings_.simulated});
  tell_plan(study_, out);
  return out;
}

}  // namespace sotto::analyzer
