// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/collected_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/plan/compare.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

namespace sotto::analyzer {
namespace {

/// Checks that the study file was not edited since devices loaded the manifest.
Result<Done> is_study_of(const Study& study, const Manifest& manifest, std::span<const std::uint8_t> bytes) {
  const Error other{"collect.other_study", "the study file is not the one that the manifest was compiled from",
                    study.name, "put the file back as it was: devices answer the manifest, whatever the file says"};
  if (!study.regression) return other;
  StudySeed seed;
  std::copy_n(manifest.seed, seed.size(), seed.begin());
  const Result<std::vector<std::uint8_t>> own = study_manifest(study, seed);
  if (!own) return own.error();
  if (!std::ranges::equal(own.value(), bytes)) return other;
  return Done{};
}

Error finished(const Study& study) {
  return {"collect.finished", "all rounds of this run are closed", study.name,
          "nothing can be added to a model: a new question is a new study"};
}

}  // namespace

Result<std::unique_ptr<CollectedRun>> CollectedRun::open(const Study& study, RunStore& store,
                                                         const std::optional<MasterKey>& master,
                                                         const PublicDesign* design) {
  Result<RunSettings> settings = read_settings(store.settings());
  if (!settings) return settings.error();
  if (!settings.value().simulated && study.terms.minimum == 0) {
    return Error{"collect.no_minimum", "a round of a real study needs a minimum number of reports", "study.minimum = 0",
                 "set study.minimum in study.toml; 30 is usual"};
  }
  std::unique_ptr<CollectedRun> run(new CollectedRun(study, store, std::move(settings).value()));
  const Result<Manifest> manifest = read_manifest(store.manifest(), "the stored manifest");
  if (!manifest) return manifest.error();
  run->manifest_ = manifest.value();
  if (const auto same = is_study_of(study, run->manifest_, store.manifest()); !same) return same.error();
  Result<std::unique_ptr<Protocol>> protocol = start_protocol(study, run->manifest_, design);
  if (!protocol) return protocol.error();
  run->protocol_ = std::move(protocol).value();
  Result<std::unique_ptr<StoreSink>> sink = StoreSink::open(store, master);
  if (!sink) return sink.error();
  run->sink_ = std::move(sink).value();
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

/// Makes this the open round; if empty, the model is ready.
Result<Done> CollectedRun::show(const std::optional<std::vector<std::uint8_t>>& round) {
  if (round) {
    const Result<Round> read = read_round(*round, "the round");
    if (!read) return read.error();
    number_ = read.value().number;
    if (const auto opened = sink_->open_round(*round); !opened) {
      if (opened.error().code != "store.other_round") return opened.error();
      return Error{"collect.other_round", "the study asks something else now than when the round was broadcast",
                   fmt::format("round {}", number_), "continue with the version of sotto that began the run"};
    }
  }
  round_ = round;
  return Done{};
}

Result<AddedBatch> CollectedRun::put(std::span<const std::uint8_t> batch) {
  if (!round_) return finished(study_);
  return sink_->add_batch(batch);
}

Result<std::vector<ReasonCounts>> CollectedRun::put_group(std::span<const std::span<const std::uint8_t>> requests) {
  if (!round_ || abandoned_) return sink_->judge(requests);
  return sink_->add_group(requests);
}

Result<Done> CollectedRun::forget(std::uint64_t pseudonym) {
  if (!round_) return finished(study_);
  return sink_->forget(pseudonym);
}

void CollectedRun::abandon() {
  abandoned_ = true;
  sink_->stop_round();
}

Result<Done> CollectedRun::close() {
  if (!round_) return finished(study_);
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
  if (const std::string compared = compare_with_plan(study_, out); !compared.empty())
    out.why_verdict += fmt::format("; {}", compared);
  return out;
}

}  // namespace sotto::analyzer
