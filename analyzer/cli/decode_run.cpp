// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fstream>

#include <fmt/format.h>

#include "decode_tell.hpp"
#include "estimate.hpp"
#include "files.hpp"
#include "say.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "talk.hpp"

// `sotto decode` of a run: its rounds, and the first reports of each.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::ReasonCounts;
using analyzer::Result;
using analyzer::RunStore;
namespace fs = std::filesystem;

constexpr std::string_view k_sqlite_magic = "SQLite format 3";

fs::path store_path(const std::string& path) {
  return fs::is_directory(path) ? fs::path(path) / analyzer::k_run_store_name : fs::path(path);
}

/// A round and its reports.
struct ToldRound {
  Told round;
  bool is_closed = false;
  ReasonCounts counts;
  std::uint64_t bytes = 0;  ///< size of all reports
  std::vector<Told> first;
};

Result<std::unique_ptr<Known>> know_run(const RunStore& store, const fs::path& directory,
                                        const std::vector<analyzer::StoredRound>& rounds) {
  StudyDirectory known;
  known.path = directory;
  known.manifest = store.manifest();
  for (const analyzer::StoredRound& round : rounds) known.rounds.push_back(round.bytes);
  if (const fs::path toml = directory / "study.toml"; fs::exists(toml)) {
    const Result<std::string> text = read_file(toml.string());
    if (!text) return text.error();
    Result<analyzer::Study> study = analyzer::read_study(text.value(), toml.string());
    if (!study) return study.error();
    known.study = std::move(study).value();
  }
  return know(std::move(known));
}

Result<ToldRound> tell_stored(const RunStore& store, const analyzer::StoredRound& round, const Known& known,
                              std::uint32_t first) {
  const std::vector<std::string> no_names;
  ToldRound told;
  told.round = tell_round(round.bytes, known.directory.study ? known.directory.study->features : no_names);
  told.is_closed = round.is_closed;
  const Result<ReasonCounts> counts = store.counts(round.number);
  if (!counts) return counts.error();
  told.counts = counts.value();
  const auto read = store.each_batch(round.number, [&](std::uint64_t, std::span<const std::uint8_t> batch) {
    analyzer::BatchReader reader(batch);
    while (const auto report = reader.next()) {
      told.bytes += report->size();
      if (told.first.size() < first) told.first.push_back(tell_report(*report, &known));
    }
  });
  if (!read) return read.error();
  return told;
}

Json round_json(const ToldRound& told) {
  Json json = told_json(told.round), first = Json::array();
  for (const Told& report : told.first) first.push_back(told_json(report));
  json["closed"] = told.is_closed;
  json["reports"] = counts_json(told.counts);
  json["reports"]["bytes"] = told.bytes;
  json["first"] = first;
  return json;
}

}  // namespace

bool is_run(const std::string& path) {
  if (path == "-") return false;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return true;
  std::ifstream file(path, std::ios::binary);
  std::string begins(k_sqlite_magic.size(), '\0');
  return file.read(begins.data(), static_cast<std::streamsize>(begins.size())) && begins == k_sqlite_magic;
}

int decode_run(const std::string& given, std::uint32_t first, bool json) {
  const auto stop = [json](const Error& error) {
    return refuse(error, json, error.code.starts_with("io.") ? input_output : refused);
  };
  const fs::path path = store_path(given);
  if (!fs::exists(path)) {
    return stop({"io.cannot_read", "this directory holds no run", path.string(),
                 "name a file, or a directory with a run.sqlite"});
  }
  const Result<std::unique_ptr<RunStore>> opened = RunStore::open(path);
  if (!opened) return stop(opened.error());
  const RunStore& store = *opened.value();
  if (const auto checked = store.check(); !checked) return stop(checked.error());
  const Result<std::vector<analyzer::StoredRound>> rounds = store.rounds();
  if (!rounds) return stop(rounds.error());
  const Result<std::unique_ptr<Known>> known = know_run(store, path.parent_path(), rounds.value());
  if (!known) return stop(known.error());
  std::vector<ToldRound> all;
  for (const analyzer::StoredRound& round : rounds.value()) {
    Result<ToldRound> told = tell_stored(store, round, *known.value(), first);
    if (!told) return stop(told.error());
    all.push_back(std::move(told).value());
  }
  const std::optional<analyzer::Study>& study = known.value()->directory.study;
  if (json) {
    Json list = Json::array();
    for (const ToldRound& told : all) list.push_back(round_json(told));
    print_json({{"study", study ? study->name : ""},
                {"study_digest", analyzer::hex_text(known.value()->digest)},
                {"rounds", list}});
    return done;
  }
  say("run            {} round{}{}: this is all that left the devices\n", all.size(), all.size() == 1 ? "" : "s",
      study ? " of " + study->name : "");
  for (const ToldRound& told : all) {
    say("\n");
    print_told(told.round);
    say("  {:<14}  {} seen, {} used, {} bytes; the round is {}\n", "reports", told.counts.total(),
        told.counts[analyzer::Reason::accepted], told.bytes, told.is_closed ? "closed" : "open");
    for (const Told& report : told.first) print_told(report);
    if (told.counts.total() > told.first.size())
      say("and {} more (--first N shows more)\n", told.counts.total() - told.first.size());
  }
  return done;
}

}  // namespace sotto::cli
