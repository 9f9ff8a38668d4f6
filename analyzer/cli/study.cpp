// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/study/study.hpp"

#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "privacy_text.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

int study(const Options& options) {
  const analyzer::Result<std::string> text = read_file(options.file);
  if (!text) return refuse(text.error(), options.json, input_output);
  const analyzer::Result<analyzer::Study> read =
      analyzer::read_study(text.value(), options.file == "-" ? "stdin" : options.file);
  if (!read) return refuse(read.error(), options.json);
  const analyzer::Study& study = read.value();
  const analyzer::ChannelFacts facts = analyzer::facts_of(study.spec);
  const analyzer::PrivacyStatement statement = analyzer::state_privacy(study.spec);
  if (options.json) {
    print_json({{"name", study.name},
                {"question", {{"kind", study.kind}, {"text", study.question}, {"features", study.features}}},
                {"channel", channel_json(facts)},
                {"privacy", privacy_json(facts, statement)},
                {"cap_nano", study.cap}});
    return done;
  }
  fmt::print("study       {}\nquestion    {}: {}\n", study.name, study.kind, study.question);
  print_privacy(facts, statement);
  return done;
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("study", "compile and check a study; say what it promises");
  verb->add_option("FILE", options->file, "study file (TOML), or - for stdin")->required();
  verb->add_flag("--json", options->json, "one JSON object on stdout");
  verb->callback([options, &action] { action = [options] { return study(*options); }; });
}

}  // namespace sotto::cli
