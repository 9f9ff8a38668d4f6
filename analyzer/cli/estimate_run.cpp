// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "estimate.hpp"
#include "interrupt.hpp"
#include "master_key.hpp"
#include "model_text.hpp"
#include "privacy_text.hpp"
#include "say.hpp"
#include "sign_study.hpp"
#include "signing_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/collect/directory_run.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "talk.hpp"

// `sotto estimate` of a study with a protocol: adds reports, closes rounds, writes the model.
namespace sotto::cli {
namespace {

using analyzer::CollectedRun;
using analyzer::Done;
using analyzer::Error;
using analyzer::Model;
using analyzer::Reason;
using analyzer::ReasonCounts;
using analyzer::Result;
using analyzer::RunStore;
namespace fs = std::filesystem;

/// What the command did, for a reader or a script.
struct RunProgress {
  std::uint16_t round = 0;  ///< the round that was open, or the last one
  std::size_t rounds = 0;
  ReasonCounts of_round, all;
  bool closed = false;
  std::optional<std::uint16_t> next;
  std::size_t next_bytes = 0;
  bool unsigned_next = false;  ///< the manifest is signed and the next round is not
  std::optional<Model> model;
};

/// Signs the round that was just written, and whatever else is not signed yet. Returns whether the next round lacks a
/// signature that the manifest has.
Result<bool> sign_next(const EstimateOptions& o, const fs::path& path, std::uint16_t next,
                       const std::optional<analyzer::SigningKey>& key) {
  const Result<StudyDirectory> directory = open_study_directory(path);
  if (!directory) return directory.error();
  const Result<std::vector<SignedFile>> files =
      key ? sign_directory(directory.value(), *key, logs_of_key(o.key, o.log), true)
          : signatures_of(directory.value(),
                          analyzer::IssuerKey{});  // without a key only the presence of signatures is used
  if (!files) return files.error();
  const auto lacks = [next](const SignedFile& file) { return file.round == next && !file.is_signed; };
  return files.value().front().is_signed && std::ranges::any_of(files.value(), lacks);
}

Result<RunProgress> collect(const EstimateOptions& o, const std::vector<Bytes>& batches, analyzer::DirectoryRun& opened,
                            const StudyDirectory& directory, const std::optional<analyzer::SigningKey>& key) {
  RunStore& store = opened.store();
  CollectedRun& run = opened.run();
  RunProgress told;
  told.round = run.number();
  told.rounds = directory.study->terms.weights.size();
  const Error stopped{"estimate.stopped", "stopped on request; what is stored stays", "",
                      "the same command goes on: reports that are there count once"};
  for (const Bytes& batch : batches) {
    if (Interrupt::came()) return stopped;
    if (const auto put = run.put(batch); !put) return put.error();
  }
  if (const auto settled = store.settle(); !settled) return settled.error();
  if (Interrupt::came()) return stopped;
  if (o.close) {
    if (key) {  // a wrong key or a damaged log must be found before the round closes for good
      const auto ready = sign_directory(directory, *key, logs_of_key(o.key, o.log), true);
      if (!ready) return ready.error();
    }
    if (const auto closed = run.close(); !closed) return closed.error();
    told.closed = true;
    if (const auto kept = opened.keep_round_file(); !kept) return kept.error();
    if (run.round()) {
      told.next = run.number();
      const Result<bool> lacking = sign_next(o, directory.path, run.number(), key);
      if (!lacking) return lacking.error();
      told.unsigned_next = lacking.value();
      told.next_bytes = fs::file_size(round_path(directory.path, run.number()));
    }
  }
  // What is told here must not be undone by a changed bit of the log, also what an earlier command left there.
  if (const auto settled = store.settle(); !settled) return settled.error();
  const Result<ReasonCounts> of_round = store.counts(told.round), all = store.counts();
  if (!of_round) return of_round.error();
  if (!all) return all.error();
  told.of_round = of_round.value();
  told.all = all.value();
  if (run.round()) return told;
  told.model = run.model();
  if (!store.model()) {
    if (const auto put = store.put_model(analyzer::model_json(*told.model)); !put) return put.error();
  }
  if (const auto written = write_model(directory.path, *told.model); !written) return written.error();
  return told;
}

Json run_json(const RunProgress& told, const CollectedRun& run, const StudyDirectory& directory,
              const Manifest& manifest) {
  const analyzer::Study& study = *directory.study;
  const analyzer::ChannelFacts facts = analyzer::facts_of(study.spec);
  Json privacy =
      privacy_json(facts, analyzer::state_privacy(study.spec, manifest.authenticated, manifest.answers, manifest.unit));
  privacy["coins"] = manifest.authenticated ? "issued" : "chosen by the sender";
  Json json = {{"study", study.name},
               {"study_digest", analyzer::hex_text(manifest_digest(manifest))},
               {"protocol", study.regression->protocol->name},
               {"round", told.round},
               {"rounds", told.rounds},
               {"closed", told.closed || !run.round()},
               {"reports", counts_json(told.of_round)},
               {"all_reports", counts_json(told.all)},
               {"minimum", study.terms.minimum},
               {"next_round", nullptr},
               {"privacy", privacy},
               {"channel", channel_json(facts)}};
  if (told.next) {
    json["next_round"] = {{"number", *told.next},
                          {"file", round_path(directory.path, *told.next).string()},
                          {"bytes", told.next_bytes},
                          {"unsigned", told.unsigned_next}};
  }
  if (told.model) json["model"] = Json::parse(analyzer::model_json(*told.model));
  return json;
}

void print_progress(const RunProgress& told, const StudyDirectory& directory) {
  const bool over = told.closed || told.model;
  say("study       {}\n", directory.study->name);
  say("round       {} of {}, {}\n", told.round, told.rounds, over ? "closed" : "open");
  say_lines(counts_text(told.of_round));
  if (told.next) {
    say("next        {}, {} bytes: broadcast it\n", round_path(directory.path, *told.next).string(), told.next_bytes);
  }
  if (told.unsigned_next) {
    complain(
        fmt::format("sotto: the study is signed and round {} is not: devices that verify refuse it\n  fix:  sotto sign "
                    "{} --key KEY\n",
                    *told.next, directory.path.string()));
  }
  if (!over) {
    say("minimum     {} to close the round (--close); nothing is estimated before\n", directory.study->terms.minimum);
  }
  if (!told.model) return;
  say("\n");
  print_model(*told.model);
  say("\npage        {}\n", (directory.path / "report.html").string());
}

}  // namespace

int estimate_run(const EstimateOptions& o, const StudyDirectory& directory) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  const Result<Manifest> manifest =
      analyzer::read_manifest(directory.manifest, (directory.path / "manifest.bin").string());
  if (!manifest) return stop(manifest.error());
  const Result<std::optional<HeldKey>> held = load_master_key(directory.path);
  if (!held) return stop(held.error());
  if (!o.files.empty() && manifest.value().authenticated && !held.value()) return stop(no_master_key(directory));
  std::optional<analyzer::SigningKey> key;
  if (!o.key.empty()) {
    const Result<analyzer::SigningKey> loaded = load_signing_key(o.key);
    if (!loaded) return stop(loaded.error());
    key = loaded.value();
  }
  const Result<std::vector<Bytes>> batches = read_batches(o.files, manifest_digest(manifest.value()));
  if (!batches) return stop(batches.error());
  const Interrupt interrupt;
  const auto opened = analyzer::DirectoryRun::open(directory, {.adds = !o.files.empty(), .closes = o.close});
  if (!opened) return stop(opened.error());
  CollectedRun& run = opened.value()->run();
  const std::uint16_t round = run.number();
  const Result<RunProgress> told = collect(o, batches.value(), *opened.value(), directory, key);
  if (!told) {
    // The counts so far are what helps when a round cannot be closed.
    const Result<ReasonCounts> counts = opened.value()->store().counts(round);
    if (!counts || told.error().code.starts_with("io.")) return stop(told.error());
    if (!o.json) complain(counts_text(counts.value()));
    const Exit code = told.error().code == "estimate.stopped" ? interrupted : refused;
    return refuse(told.error(), o.json, code, {{"round", round}, {"reports", counts_json(counts.value())}});
  }
  if (o.json) {
    print_json(run_json(told.value(), run, directory, manifest.value()));
  } else {
    print_progress(told.value(), directory);
  }
  return done;
}

}  // namespace sotto::cli
