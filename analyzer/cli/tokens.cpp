// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "credentials.hpp"
#include "estimate.hpp"
#include "files.hpp"
#include "master_key.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "served.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/serve/desk.hpp"
#include "sotto/analyzer/serve/issuer.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto tokens`: one-time tokens with which devices enrol over HTTP.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct TokenOptions {
  std::string directory, data, out, credentials;
  std::uint64_t count = 0;
  bool json = false;
};

/// What tokens are drawn for: a study in its directory, and the file that keeps their hashes.
struct Desktop {
  StudyDirectory directory;
  Digest study{};
  std::filesystem::path data;
  bool has_tickets = false, is_known_by_row = false;
};

Result<Desktop> open_desktop(const TokenOptions& o) {
  Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return directory.error();
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return manifest.error();
  if (!manifest.value().authenticated) {
    return Error{"enroll.no_credentials", "this study is not authenticated, so there are no credentials to issue",
                 o.directory, "a device of an open study draws its own pseudonym"};
  }
  Desktop out{std::move(directory).value(), manifest_digest(manifest.value()), {}, false, false};
  const Result<std::filesystem::path> data = make_data_directory(o.data, out.study);
  if (!data) return data.error();
  out.data = data.value();
  if (const auto& study = out.directory.study) {
    out.has_tickets = study->terms.tickets.has_value();
    out.is_known_by_row = study->regression && study->regression->protocol->asks_labels;
  }
  return out;
}

/// The first tokens of a study draw its master key, as its first credentials do. An issuer of tickets has none.
Result<analyzer::Done> draw_first_key(const TokenOptions& o, const Desktop& desktop) {
  const Result<std::optional<HeldKey>> held = load_master_key(o.directory);
  if (!held) return held.error();
  if (held.value() || desktop.has_tickets) return analyzer::Done{};
  if (const auto none = no_key_was_lost(o.directory, desktop.data); !none) return none;
  if (const auto drawn = load_or_draw_master_key(o.directory); !drawn) return drawn.error();
  if (!o.json) say("master key  drawn: {}/master.key was missing. Keep a copy\n", o.directory);
  return analyzer::Done{};
}

/// The ids and pseudonyms of a file of credentials, which must be of this study.
Result<std::vector<std::pair<std::string, std::uint64_t>>> read_issued(const TokenOptions& o, const Desktop& desktop) {
  const Result<std::string> text = read_file(o.credentials, k_credentials_max);
  if (!text) return text.error();
  const Result<std::optional<HeldKey>> held = load_master_key(o.directory);
  if (!held) return held.error();
  if (!held.value()) return no_master_key(desktop.directory);
  const analyzer::StudyKeys keys(held.value()->get(), desktop.study);
  std::vector<std::pair<std::string, std::uint64_t>> out;
  const auto read = each_credential(
      text.value(), o.credentials, "tokens.foreign_file",
      [&](const Credential& one, std::size_t line) -> Result<analyzer::Done> {
        ReportKey key = keys.key(one.pseudonym);
        const bool is_own = one.key == analyzer::hex_text(key);
        analyzer::wipe_secret(key);
        if (!is_own) {
          return Error{
              "tokens.foreign_file",
              fmt::format("{}:{}: this line was not issued for this study with its master key", o.credentials, line),
              "", "name the file that sotto enrol wrote for this study"};
        }
        out.emplace_back(one.id, one.pseudonym);
        return analyzer::Done{};
      });
  if (!read) return read.error();
  return out;
}

/// The text of the tokens' file: a token on each line, behind its id where it is for one device.
Result<std::string> draw(const TokenOptions& o, const Desktop& desktop, analyzer::Desk& desk) {
  std::vector<std::pair<std::string, std::uint64_t>> issued;
  if (!o.credentials.empty()) {
    auto read = read_issued(o, desktop);
    if (!read) return read.error();
    issued = std::move(read).value();
  }
  std::vector<std::uint64_t> pseudonyms;
  for (const auto& [id, pseudonym] : issued) pseudonyms.push_back(pseudonym);
  const auto drawn = issued.empty() ? desk.draw_tokens(o.count) : desk.draw_tokens_for(pseudonyms);
  if (!drawn) return drawn.error();
  std::string text;
  for (std::size_t i = 0; i < drawn.value().size(); ++i)
    text += (issued.empty() ? "" : issued[i].first + ",") + drawn.value()[i] + "\n";
  return text;
}

int tokens(const TokenOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json,
                  error.code == "usage"           ? usage
                  : error.code.starts_with("io.") ? input_output
                                                  : refused);
  };
  if ((o.count == 0) == o.credentials.empty())
    return stop(
        {"usage", "give --count N or --credentials FILE", "", "sotto tokens DIR --data DATA --count 100 --out FILE"});
  const Result<Desktop> desktop = open_desktop(o);
  if (!desktop) return stop(desktop.error());
  std::error_code unknown;
  if (std::filesystem::equivalent(std::filesystem::absolute(o.out).parent_path(), o.directory, unknown)) {
    return stop({"tokens.in_study", "the study's directory holds its key and its rounds, which a file could replace",
                 o.out, "write the tokens somewhere else"});
  }
  if (desktop.value().is_known_by_row && o.credentials.empty()) {
    return stop({"tokens.by_row", "the issuer of this study must know which device has which pseudonym", o.directory,
                 "enrol its rows with sotto enrol --ids, and draw tokens with --credentials"});
  }
  if (desktop.value().has_tickets && !o.credentials.empty())
    return stop({"enrol.by_ticket", "devices of this study enrol with tickets", o.directory, "give --count"});
  if (const auto key = draw_first_key(o, desktop.value()); !key) return stop(key.error());
  const OwnerOnly owner_only;
  const auto file =
      desktop.value().data / (desktop.value().has_tickets ? analyzer::k_issuer_file_name : "collection.sqlite");
  const Result<std::unique_ptr<analyzer::Desk>> desk = analyzer::Desk::open(file);
  if (!desk) return stop(desk.error());
  const Result<std::string> text = draw(o, desktop.value(), *desk.value());
  if (!text) return stop(text.error());
  if (const auto written = analyzer::replace_file(o.out, text.value(), analyzer::Readers::owner); !written)
    return stop(written.error());
  const auto count = std::ranges::count(text.value(), '\n');
  if (o.json) {
    print_json({{"tokens", count}, {"file", o.out}});
  } else {
    say("tokens      {} in {}: hand each attested device one; each enrols once\n", count, o.out);
  }
  return done;
}

}  // namespace

void add_tokens(CLI::App& app, Action& action) {
  auto o = std::make_shared<TokenOptions>();
  CLI::App* verb = app.add_subcommand("tokens", "draw one-time tokens for enrolment at a server");
  verb->add_option("DIR", o->directory, "directory of a compiled study")->required();
  verb->add_option("--data", o->data, "the --data of sotto serve, which may be running")->required();
  verb->add_option("--count", o->count, "so many tokens")->check(CLI::Range(1, 10'000'000));
  verb->add_option("--credentials", o->credentials,
                   "for the devices of this file of sotto enrol: a line with id and token for each");
  verb->add_option("--out", o->out, "file of the tokens, one on each line; it is replaced")->required();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return tokens(*o); }; });
}

}  // namespace sotto::cli
