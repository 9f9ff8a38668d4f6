// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "say.hpp"
#include "sign_study.hpp"
#include "signing_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto sign`: signs a study and its rounds, or verifies their signatures.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct SignOptions {
  std::string directory, key, public_key, log;
  bool verify = false, no_time = false, json = false;
};

std::string object_name(const SignedFile& file) {
  return file.round == 0 ? "manifest" : fmt::format("round {}", file.round);
}

Json signed_json(const std::vector<SignedFile>& files, const analyzer::IssuerKey& key) {
  Json objects = Json::array();
  for (const SignedFile& file : files) {
    Digest digest;
    sha256(file.body, digest);
    objects.push_back({{"file", file.path.string()},
                       {"kind", file.round == 0 ? "manifest" : "round"},
                       {"round", file.round == 0 ? Json(nullptr) : Json(file.round)},
                       {"digest", analyzer::hex_text(digest)},
                       {"signed", file.is_signed},
                       {"holds", file.holds},
                       {"newly_signed", file.newly_signed},
                       {"newly_logged", file.newly_logged}});
  }
  return {{"public_key", analyzer::hex_text(key)}, {"objects", objects}};
}

int stop_signing(const Error& error, bool json, const Json& beside = Json::object()) {
  return refuse(error, json, error.code.starts_with("io.") ? input_output : refused, beside);
}

int verify_signatures(const SignOptions& o) {
  const Result<analyzer::IssuerKey> key = load_issuer_key(o.public_key);
  if (!key) return stop_signing(key.error(), o.json);
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop_signing(directory.error(), o.json);
  const Result<std::vector<SignedFile>> files = signatures_of(directory.value(), key.value());
  if (!files) return stop_signing(files.error(), o.json);
  const Json json = signed_json(files.value(), key.value());
  for (const SignedFile& file : files.value()) {
    if (!o.json) {
      say("{:<11} {}: {}\n", object_name(file), file.path.string(),
          file.holds       ? "signed by this key"
          : file.is_signed ? "its signature is not one by this key"
                           : "not signed");
    }
  }
  for (const SignedFile& file : files.value()) {
    if (file.holds) continue;
    return stop_signing(
        file.is_signed
            ? Error{"sign.bad_signature", "the signature is not valid for these bytes and this key", file.path.string(),
                    "devices refuse it as bad_signature: ask who signed it"}
            : Error{"sign.not_signed", "this file is not signed", file.path.string(), "sotto sign DIR --key KEY"},
        o.json, json);
  }
  if (o.json) print_json(json);
  return done;
}

int sign_study(const SignOptions& o) {
  const Result<analyzer::SigningKey> key = load_signing_key(o.key);
  if (!key) return stop_signing(key.error(), o.json);
  const KeyLogs logs = logs_of_key(o.key, o.log);
  const Result<StudyDirectory> first_look = open_study_directory(o.directory);
  if (!first_look) return stop_signing(first_look.error(), o.json);
  const Result<DirectoryLock> lock = DirectoryLock::take(o.directory);
  if (!lock) return stop_signing(lock.error(), o.json);
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop_signing(directory.error(), o.json);
  const Result<std::vector<SignedFile>> files = sign_directory(directory.value(), key.value(), logs, !o.no_time);
  if (!files) return stop_signing(files.error(), o.json);
  if (o.json) {
    Json json = signed_json(files.value(), key.value().public_key());
    json["log"] = (logs.beside.empty() ? logs.of_key : logs.beside).string();
    json["key_log"] = logs.of_key.string();
    print_json(json);
    return done;
  }
  for (const SignedFile& file : files.value()) {
    say("{:<11} {}: {}{}\n", object_name(file), file.path.string(),
        file.newly_signed ? "signed" : "was signed by this key", file.newly_logged ? ", and put into the log" : "");
  }
  say("log         {}{}\n", logs.of_key.string(), logs.beside.empty() ? "" : ", and " + logs.beside.string());
  say("by          {}\n", analyzer::hex_text(key.value().public_key()));
  return done;
}

int run_sign(const SignOptions& o) {
  const auto misused = [&o](std::string what, std::string fix) {
    return refuse({"usage", std::move(what), "", std::move(fix)}, o.json, usage);
  };
  if (o.verify) {
    if (!o.key.empty() || !o.log.empty() || o.no_time)
      return misused("--verify signs nothing", "sotto sign DIR --verify --public-key KEY.pub");
    if (o.public_key.empty())
      return misused("--verify needs the public key that is expected", "sotto sign DIR --verify --public-key KEY.pub");
    return verify_signatures(o);
  }
  if (!o.public_key.empty()) return misused("--public-key is for --verify", "sotto sign DIR --key KEY");
  if (o.key.empty())
    return misused("the secret key is missing", "sotto sign DIR --key KEY; sotto keygen --out KEY draws one");
  return sign_study(o);
}

}  // namespace

void add_sign(CLI::App& app, Action& action) {
  auto o = std::make_shared<SignOptions>();
  CLI::App* verb = app.add_subcommand("sign", "sign a study and its rounds, or check their signatures");
  verb->add_option("DIR", o->directory, "directory of a compiled study")->required();
  verb->add_option("--key", o->key, "secret key, of sotto keygen");
  verb->add_option("--log", o->log, "a second log of what was asked, beside KEY.log, which is always written");
  verb->add_flag("--no-time", o->no_time, "leave the time out of the log");
  verb->add_flag("--verify", o->verify, "check instead: everything must be signed by --public-key");
  verb->add_option("--public-key", o->public_key, "file of a public key, or its 64 hexadecimal digits");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "Signs manifest.bin and every round-<n>.bin (Ed25519 over the body; the digest stays). What is signed already "
      "stays as it is, so that "
      "it can\nbe run after every new round. Each object goes into the log before its signature is written.");
  verb->callback([o, &action] { action = [o] { return run_sign(*o); }; });
}

}  // namespace sotto::cli
