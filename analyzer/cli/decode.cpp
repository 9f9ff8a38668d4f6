// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "decode_tell.hpp"
#include "files.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct DecodeOptions {
  std::string file, study;
  std::uint32_t first = 3;
  bool hex = false, json = false;
};

/// Names of the features, from the study or from a study.toml beside the file. Without them there are numbers.
std::vector<std::string> names_for(const DecodeOptions& o, const Known* known) {
  if (known != nullptr && known->directory.study) return known->directory.study->features;
  const std::filesystem::path beside = std::filesystem::path(o.file).parent_path() / "study.toml";
  if (o.file == "-" || known != nullptr || !std::filesystem::exists(beside)) return {};
  const Result<std::string> text = read_file(beside.string());
  if (!text) return {};
  const Result<analyzer::Study> study = analyzer::read_study(text.value(), beside.string());
  return study ? study.value().features : std::vector<std::string>{};
}

int decode(const DecodeOptions& o) {
  if (is_run(o.file)) return decode_run(o.file, o.first, o.json);
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  std::unique_ptr<Known> known;
  if (!o.study.empty()) {
    Result<std::unique_ptr<Known>> made = know(o.study);
    if (!made) return stop(made.error());
    known = std::move(made).value();
  }
  const Result<std::vector<Piece>> pieces = read_capture(o.file, o.hex);
  if (!pieces) return stop(pieces.error());
  std::vector<Told> told;
  const std::vector<std::string> names = names_for(o, known.get());
  for (const Piece& piece : pieces.value()) tell(piece, known.get(), names, told);
  const bool all_bad = std::ranges::all_of(told, [](const Told& t) { return !t.refused.empty(); });
  if (all_bad) {
    return stop({"decode.unknown_bytes", "this is no manifest, round, report or batch",
                 told.empty() ? "" : told.front().refused, "pass the bytes as they were sent, from the first one"});
  }
  if (o.json) {
    Json objects = Json::array();
    for (const Told& t : told) objects.push_back(told_json(t));
    print_json({{"objects", objects}});
    return done;
  }
  for (const Told& t : told) print_told(t);
  return done;
}

}  // namespace

void add_decode(CLI::App& app, Action& action) {
  auto o = std::make_shared<DecodeOptions>();
  CLI::App* verb = app.add_subcommand("decode", "show what is in captured bytes");
  verb->add_option("FILE", o->file,
                   "a manifest, a round, a report or a batch, as raw bytes or hexadecimal text, - for stdin; or a run: "
                   "its directory or its run.sqlite")
      ->required();
  verb->add_option("--study", o->study,
                   "directory of the study: opens sealed reports with its master.key, and names answers");
  verb->add_option("--first", o->first, "of a run: reports of each round that are shown")->capture_default_str();
  verb->add_flag("--hex", o->hex, "the file must be hexadecimal text (it is recognised without this, too)");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return decode(*o); }; });
}

}  // namespace sotto::cli
