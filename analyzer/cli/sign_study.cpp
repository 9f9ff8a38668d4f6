// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sign_study.hpp"

#include <ctime>
#include <optional>

#include <fmt/format.h>

#include "log_file.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/files/read_whole.hpp"

namespace sotto::cli {

using analyzer::AskedEntry;
using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

namespace {

SignedFile worth(const fs::path& path, std::span<const std::uint8_t> body, std::span<const std::uint8_t> signature,
                 const analyzer::IssuerKey& key) {
  return {path, 0, Bytes(body.begin(), body.end()), !signature.empty(),
          analyzer::signature_holds(key, body, signature)};
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

KeyLogs logs_of_key(const fs::path& key, const std::string& named) {
  const fs::path own = key.string() + ".log";
  return {own, named.empty() ? own : fs::path(named)};
}

Result<std::vector<SignedFile>> signatures_of(const StudyDirectory& directory, const analyzer::IssuerKey& key) {
  const fs::path path = directory.path / "manifest.bin";
  const Result<Manifest> manifest = analyzer::read_manifest(directory.manifest, path.string());
  if (!manifest) return manifest.error();
  const Digest study = manifest_digest(manifest.value());
  std::vector<SignedFile> files{worth(path, manifest.value().body, manifest.value().signature, key)};
  for (std::size_t i = 0; i < directory.rounds.size(); ++i) {
    const fs::path& file = directory.round_files[i];
    const Result<Round> round = analyzer::read_round(directory.rounds[i], file.string());
    if (!round) return round.error();
    if (round.value().study != study) {
      return Error{"sign.foreign_round", "this round was made for another study", file.string(),
                   "move it to the directory of its study"};
    }
    if (file != round_path(directory.path, round.value().number)) {
      return Error{"sign.misplaced_round", fmt::format("this file holds round {}", round.value().number), file.string(),
                   "give it the name of its round"};
    }
    files.push_back(worth(file, round.value().body, round.value().signature, key));
    files.back().round = round.value().number;
  }
  return files;
}

Result<std::vector<SignedFile>> sign_directory(const StudyDirectory& directory, const analyzer::SigningKey& key,
                                               const KeyLogs& logs, bool with_time) {
  Result<std::vector<SignedFile>> files = signatures_of(directory, key.public_key());
  if (!files) return files;
  for (const SignedFile& file : files.value()) {
    // A signature is for good: of a round that nothing vouches for there is none.
    if (const auto same = check_study_sum(directory.path, file.path.filename().string(), file.body); !same)
      return same.error();
    if (!file.is_signed || file.holds) continue;
    return Error{"sign.other_key", "this file carries a signature that is not one by this key", file.path.string(),
                 "sign with the key that signed it; another issuer compiles a study of its own"};
  }
  // Another log must not make the key forget: two rounds of one number split a fleet, wherever the first was written down.
  std::optional<LogFile> own;  // held until all is signed
  const Result<bool> has_own = analyzer::is_there(logs.of_key);
  if (!has_own) return has_own.error();
  std::error_code ignored;
  if (has_own.value() && !fs::equivalent(logs.of_key, logs.written, ignored)) {  // one file is locked once
    Result<LogFile> found = LogFile::open(logs.of_key, key.public_key());
    if (!found) return found.error();
    own.emplace(std::move(found).value());
    for (const SignedFile& file : files.value()) {
      const Result<AskedEntry> entry = analyzer::asked_entry(file.body, files.value().front().body);
      if (!entry) return entry.error();
      if (const auto known = analyzer::already_asked(own->log(), entry.value()); !known) return known.error();
    }
  }
  Result<LogFile> opened = LogFile::open(logs.written, key.public_key());
  if (!opened) return opened.error();
  LogFile& asked_before = opened.value();
  std::vector<AskedEntry> missing;
  for (SignedFile& file : files.value()) {
    Result<AskedEntry> entry = analyzer::asked_entry(file.body, files.value().front().body);
    if (!entry) return entry.error();
    const Result<bool> known = analyzer::already_asked(asked_before.log(), entry.value());
    if (!known) return known.error();
    if (known.value()) continue;
    file.newly_logged = true;
    entry.value().name = directory.study ? directory.study->name.substr(0, analyzer::k_asked_name_bytes) : "";
    entry.value().time = with_time ? utc_now() : "";
    entry.value().signature = key.sign(file.body);
    missing.push_back(std::move(entry).value());
  }
  for (AskedEntry& entry : missing) {
    if (const auto put = asked_before.append(std::move(entry), key); !put) return put.error();
  }
  for (SignedFile& file : files.value()) {
    if (file.is_signed) continue;
    if (const auto put = write_bytes(file.path, analyzer::with_trailer(file.body, key.sign(file.body))); !put)
      return put.error();
    file.is_signed = file.holds = file.newly_signed = true;
  }
  return files;
}

}  // namespace sotto::cli
