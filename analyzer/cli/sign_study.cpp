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
using analyzer::Done;
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

/// What a key signed, in its own log and in one that `--log` names beside it. Nothing is in the second that is not in
/// the first: a key that was told to write elsewhere does not forget.
class KeyRecord {
 public:
  /// Both logs, held alone as long as this lives. The second is not begun where the first refuses one of the entries.
  static Result<KeyRecord> open(const KeyLogs& logs, const analyzer::SigningKey& key,
                                const std::vector<AskedEntry>& entries) {
    Result<LogFile> own = LogFile::open(logs.of_key, key.public_key());
    if (!own) return own.error();
    KeyRecord record(std::move(own).value(), key);
    for (const AskedEntry& entry : entries) {
      if (const auto known = record.knows(entry); !known) return known.error();
    }
    std::error_code ignored;
    // One file is locked once. The key's own log is there by now, so that two names of it are seen as one.
    if (logs.beside.empty() || fs::equivalent(logs.of_key, logs.beside, ignored)) return record;
    Result<LogFile> beside = LogFile::open(logs.beside, key.public_key(), LogFile::Wait::no);
    if (!beside) return beside.error();
    record.beside_.emplace(std::move(beside).value());
    // It may have been written without the key's own: by an earlier release, or beside a copy of the key.
    for (const AskedEntry& entry : record.beside_->log().entries) {
      if (const auto put = record.append_to(record.own_, entry); !put) return put.error();
    }
    return record;
  }

  /// That both logs have it.
  /// Refuses   log.asked_otherwise.
  [[nodiscard]] Result<bool> knows(const AskedEntry& entry) const {
    const Result<bool> own = analyzer::already_asked(own_.log(), entry);
    return own && own.value() && beside_ ? analyzer::already_asked(beside_->log(), entry) : own;
  }

  /// Into each log that does not have it.
  [[nodiscard]] Result<Done> append(const AskedEntry& entry) {
    const auto put = append_to(own_, entry);
    return put && beside_ ? append_to(*beside_, entry) : put;
  }

 private:
  KeyRecord(LogFile own, const analyzer::SigningKey& key) : own_(std::move(own)), key_(&key) {}
  [[nodiscard]] Result<Done> append_to(LogFile& log, const AskedEntry& entry) const {
    const Result<bool> known = analyzer::already_asked(log.log(), entry);
    if (!known) return known.error();
    return known.value() ? Result<Done>(Done{}) : log.append(entry, *key_);
  }

  LogFile own_;
  std::optional<LogFile> beside_;
  const analyzer::SigningKey* key_;
};

}  // namespace

KeyLogs logs_of_key(const fs::path& key, const std::string& named) {
  std::error_code failed;
  const fs::path target = fs::is_symlink(key, failed) ? fs::canonical(key, failed) : key;
  return {(failed ? key : target).string() + ".log", named};
}

Result<std::vector<SignedFile>> signatures_of(const StudyDirectory& directory, const analyzer::IssuerKey& key) {
  const fs::path path = directory.path / "manifest.bin";
  const Result<Manifest> manifest = analyzer::read_manifest(directory.manifest, path.string());
  if (!manifest) return manifest.error();
  const Digest study = manifest_digest(manifest.value());
  std::vector<SignedFile> files{worth(path, manifest.value().bytes.body, manifest.value().bytes.signature, key)};
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
                   "rename it after the round that it holds: round-<n>.bin"};
    }
    files.push_back(worth(file, round.value().bytes.body, round.value().bytes.signature, key));
    files.back().round = round.value().number;
  }
  return files;
}

Result<std::vector<SignedFile>> sign_directory(const StudyDirectory& directory, const analyzer::SigningKey& key,
                                               const KeyLogs& logs, bool with_time) {
  Result<std::vector<SignedFile>> files = signatures_of(directory, key.public_key());
  if (!files) return files;
  for (const SignedFile& file : files.value()) {
    // A signature cannot be withdrawn: a round whose checksum is missing or differs is not signed.
    if (const auto same = check_study_sum(directory.path, file.path.filename().string(), file.body); !same)
      return same.error();
    if (!file.is_signed || file.holds) continue;
    return Error{"sign.other_key", "this file carries a signature by another key", file.path.string(),
                 "sign with the key that signed it; another issuer compiles a study of its own"};
  }
  std::vector<AskedEntry> entries;
  for (const SignedFile& file : files.value()) {
    Result<AskedEntry> entry = analyzer::asked_entry(file.body, files.value().front().body);
    if (!entry) return entry.error();
    entries.push_back(std::move(entry).value());
  }
  Result<KeyRecord> record = KeyRecord::open(logs, key, entries);  // held until all is signed
  if (!record) return record.error();
  for (std::size_t i = 0; i < entries.size(); ++i) {  // all are asked for before any is written
    const Result<bool> known = record.value().knows(entries[i]);
    if (!known) return known.error();
    files.value()[i].newly_logged = !known.value();
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!files.value()[i].newly_logged) continue;
    entries[i].name = directory.study ? directory.study->name.substr(0, analyzer::k_asked_name_bytes) : "";
    entries[i].time = with_time ? utc_now() : "";
    entries[i].signature = key.sign(files.value()[i].body);
    if (const auto put = record.value().append(entries[i]); !put) return put.error();
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
