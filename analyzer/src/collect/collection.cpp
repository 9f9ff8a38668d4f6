// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/collection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/collect/collected_run.hpp"
#include "sotto/analyzer/collect/collected_vote.hpp"
#include "sotto/analyzer/compile/compile.hpp"

namespace sotto::analyzer {
namespace {

/// Checks that the study file was not edited since devices loaded the manifest.
Result<Done> is_study_of(const Study& study, const Manifest& manifest, std::span<const std::uint8_t> bytes) {
  StudySeed seed;
  std::copy_n(manifest.seed, seed.size(), seed.begin());
  const Result<std::vector<std::uint8_t>> own = study_manifest(study, seed);
  if (!own) return own.error();
  if (std::ranges::equal(own.value(), bytes)) return Done{};
  return Error{"collect.other_study", "the study file is not the one that the manifest was compiled from", study.name,
               "put the file back as it was: devices answer the manifest, whatever the file says"};
}

}  // namespace

Result<std::unique_ptr<Collection>> Collection::open(const Study& study, RunStore& store,
                                                     const std::optional<MasterKey>& master,
                                                     const PublicDesign* design) {
  if (study.regression) {
    Result<std::unique_ptr<CollectedRun>> run = CollectedRun::open(study, store, master, design);
    if (!run) return run.error();
    return std::unique_ptr<Collection>(std::move(run).value());
  }
  Result<std::unique_ptr<CollectedVote>> vote = CollectedVote::open(study, store, master);
  if (!vote) return vote.error();
  return std::unique_ptr<Collection>(std::move(vote).value());
}

Result<RunSettings> Collection::settings_of(const Study& study, const RunStore& store) {
  Result<RunSettings> settings = read_settings(store.settings());
  if (settings && !settings.value().simulated && study.terms.minimum == 0) {
    return Error{"collect.no_minimum", "a round of a real study needs a minimum number of reports", "study.minimum = 0",
                 "set study.minimum in study.toml; 30 is usual"};
  }
  return settings;
}

Result<Done> Collection::begin(const std::optional<MasterKey>& master) {
  const Result<Manifest> manifest = read_manifest(store_.manifest(), "the stored manifest");
  if (!manifest) return manifest.error();
  manifest_ = manifest.value();
  if (const auto same = is_study_of(study_, manifest_, store_.manifest()); !same) return same;
  Result<std::unique_ptr<StoreSink>> sink = StoreSink::open(store_, master);
  if (!sink) return sink.error();
  sink_ = std::move(sink).value();
  return Done{};
}

Result<Done> Collection::show(const std::optional<std::vector<std::uint8_t>>& round) {
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

Error Collection::finished() const {
  return {"collect.finished", "all rounds of this run are closed", study_.name,
          "nothing can be added to a model: a new question is a new study"};
}

Result<AddedBatch> Collection::put(std::span<const std::uint8_t> batch) {
  if (!round_) return finished();
  return sink_->add_batch(batch);
}

Result<std::vector<ReasonCounts>> Collection::put_group(std::span<const std::span<const std::uint8_t>> requests) {
  if (!round_ || abandoned_) return sink_->judge(requests);
  return sink_->add_group(requests);
}

Result<Done> Collection::forget(std::uint64_t pseudonym) {
  if (!round_) return finished();
  return sink_->forget(pseudonym);
}

void Collection::abandon() {
  abandoned_ = true;
  sink_->stop_round();
}

}  // namespace sotto::analyzer
