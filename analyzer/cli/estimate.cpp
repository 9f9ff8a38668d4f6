// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "estimate.hpp"

#include <memory>

#include <fmt/format.h>

#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::Reason;
using analyzer::Result;

Json counts_json(const analyzer::ReasonCounts& counts) {
  Json by_reason = Json::object();
  for (std::size_t i = 0; i < analyzer::k_reasons; ++i)
    by_reason[std::string(reason_name(static_cast<Reason>(i)))] = counts.of[i];
  return {{"count", counts.total()},
          {"used", counts[Reason::accepted]},
          {"refused", counts.total() - counts[Reason::accepted]},
          {"by_reason", by_reason}};
}

std::string counts_text(const analyzer::ReasonCounts& counts) {
  std::string text = fmt::format("reports     {} seen, {} used\n", counts.total(), counts[Reason::accepted]);
  for (std::size_t i = 1; i < analyzer::k_reasons; ++i) {
    if (counts.of[i] > 0) text += fmt::format("  {:<22} {}\n", reason_name(static_cast<Reason>(i)), counts.of[i]);
  }
  return text;
}

namespace {

int estimate(const EstimateOptions& o) {
  const auto misused = [&o](std::string what, std::string fix) {
    return refuse({"usage", std::move(what), "", std::move(fix)}, o.json, usage);
  };
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) {
    const Error& error = directory.error();
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  }
  if (directory.value().study && directory.value().study->regression) {
    if (!o.key.empty() && !o.close) return misused("--key signs the round that --close writes", "add --close");
    if (o.round) return misused("--round is for votes", "leave it out: the run knows which round is open");
    return estimate_run(o, directory.value());
  }
  if (!directory.value().study && std::filesystem::exists(directory.value().path / analyzer::k_run_store_name)) {
    return refuse({"estimate.no_study", "the directory has a run but no study.toml that says what it asked",
                   o.directory, "restore the file that the study was compiled from"},
                  o.json);
  }
  if (!o.key.empty()) return misused("--key signs the next round, and a vote has one", "sotto sign DIR --key KEY");
  if (o.files.empty()) return misused("REPORTS are missing", "sotto estimate DIR REPORTS...");
  return estimate_vote(o, directory.value());
}

}  // namespace

void add_estimate(CLI::App& app, Action& action) {
  auto o = std::make_shared<EstimateOptions>();
  CLI::App* verb = app.add_subcommand("estimate", "estimate votes or learn a model from reports, with error bars");
  verb->add_option("DIR", o->directory, "directory of the study, with master.key where reports are sealed")->required();
  verb->add_option("REPORTS", o->files,
                   "files of reports: batches, single reports, or a report in hexadecimal on each line; - for stdin");
  verb->add_option("--round", o->round, "for a vote: the number of the round [1]")->check(CLI::Range(1, 65535));
  verb->add_flag("--close", o->close,
                 "for a protocol: close the open round, and write the next one, or after the last one the model; for a "
                 "vote: write DIR/model.json and DIR/report.html");
  verb->add_option("--key", o->key, "with --close, for a signed study: the secret key that signs the next round");
  verb->add_option("--log", o->log, "a second log of what was asked, beside KEY.log, which is always written")
      ->needs("--key");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "A batch is a sequence of reports, each preceded by its length (2 bytes, little-endian); a file may hold "
      "several. Every "
      "report is\n"
      "used or refused with one reason. A line of text that is no report in hexadecimal counts as one refused report, "
      "whatever else\n"
      "it is; so does a file of other bytes, or what follows the place where a batch is cut off. The same report twice "
      "counts once;\n"
      "different reports from one pseudonym count not at all. The order of reports and files changes nothing.\n"
      "\n"
      "A study with [protocol] is collected into DIR/run.sqlite, some files at a time. Until the open round is closed "
      "only counts are\n"
      "shown: whoever stops when the numbers please has no intervals. --close writes DIR/round-<n>.bin to broadcast "
      "next, and after\n"
      "the last round DIR/model.json and DIR/report.html. Without REPORTS a finished run makes the same model again.");
  verb->callback([o, &action] { action = [o] { return estimate(*o); }; });
}

}  // namespace sotto::cli
