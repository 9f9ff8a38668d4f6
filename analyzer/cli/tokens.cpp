// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "master_key.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "served.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/serve/desk.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto tokens`: one-time tokens with which devices enrol over HTTP.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct TokenOptions {
  std::string directory, data, out;
  std::uint64_t count = 0;
  bool json = false;
};

/// The first tokens of a study draw its master key, as its first credentials do.
Result<analyzer::Done> draw_first_key(const TokenOptions& o) {
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return directory.error();
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return manifest.error();
  if (!manifest.value().authenticated) return analyzer::Done{};
  const Result<std::optional<HeldKey>> held = load_master_key(o.directory);
  if (!held) return held.error();
  if (held.value()) return analyzer::Done{};
  const std::string digest = analyzer::hex_text(manifest_digest(manifest.value()));
  const auto none = no_key_was_lost(o.directory, analyzer::data_directory(o.data, digest));
  if (!none) return none.error();
  if (const auto drawn = load_or_draw_master_key(o.directory); !drawn) return drawn.error();
  if (!o.json) say("master key  drawn: {}/master.key was missing. Keep a copy\n", o.directory);
  return analyzer::Done{};
}

int tokens(const TokenOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  if (const auto drawn = draw_first_key(o); !drawn) return stop(drawn.error());
  const Result<analyzer::ServedStudy> study = open_served_study(o.directory, o.data);
  if (!study) return stop(study.error());
  if (!study.value().master) {
    return stop({"enroll.no_credentials", "this study is not authenticated, so there are no credentials to issue",
                 o.directory, "a device of an open study draws its own pseudonym"});
  }
  const OwnerOnly owner_only;
  const Result<std::unique_ptr<analyzer::Desk>> desk = analyzer::Desk::open(study.value().data / "collection.sqlite");
  if (!desk) return stop(desk.error());
  const Result<std::vector<std::string>> drawn = desk.value()->draw_tokens(o.count);
  if (!drawn) return stop(drawn.error());
  std::string text;
  for (const std::string& token : drawn.value()) text += token + "\n";
  if (const auto written = analyzer::replace_file(o.out, text, analyzer::Readers::owner); !written)
    return stop(written.error());
  if (o.json) {
    print_json({{"tokens", o.count}, {"file", o.out}});
  } else {
    say("tokens      {} in {}: hand each attested device one; each enrols once\n", o.count, o.out);
  }
  return done;
}

}  // namespace

void add_tokens(CLI::App& app, Action& action) {
  auto o = std::make_shared<TokenOptions>();
  CLI::App* verb = app.add_subcommand("tokens", "draw one-time tokens for enrolment at a server");
  verb->add_option("DIR", o->directory, "directory of a compiled study")->required();
  verb->add_option("--data", o->data, "the --data of sotto serve, which may be running")->required();
  verb->add_option("--count", o->count, "so many tokens")->required()->check(CLI::Range(1, 10'000'000));
  verb->add_option("--out", o->out, "file of the tokens, one on each line; it is replaced")->required();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return tokens(*o); }; });
}

}  // namespace sotto::cli
