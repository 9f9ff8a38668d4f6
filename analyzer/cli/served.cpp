// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "served.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "estimate.hpp"
#include "files.hpp"
#include "master_key.hpp"
#include "owner_only.hpp"
#include "sign_study.hpp"
#include "signing_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "ticket_key.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;

Result<std::filesystem::path> make_data_directory(const std::filesystem::path& data, const Digest& study) {
  const OwnerOnly owner_only;
  const std::filesystem::path path = analyzer::data_directory(data, analyzer::hex_text(study));
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return path;
  return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), path.string(),
               "check the directory and its rights"};
}

namespace {

/// Of a study whose devices enrol with tickets: the issuer's public key, and the master key, which no verb drew before,
/// because nobody but this server issues credentials.
Result<analyzer::Done> take_tickets(analyzer::ServedStudy& study, const std::filesystem::path& directory) {
  Result<analyzer::TicketCheck> check = load_ticket_check(directory, study.study);
  if (!check) return check.error();
  study.tickets = std::move(check).value();
  if (study.master) return analyzer::Done{};
  if (const auto none = no_key_was_lost(directory, study.data); !none) return none;
  const Result<HeldKey> drawn = load_or_draw_master_key(directory);
  if (!drawn) return drawn.error();
  study.master = drawn.value().get();
  complain(fmt::format("sotto: drew {}: keep a copy\n", (directory / "master.key").string()));
  return analyzer::Done{};
}

}  // namespace

Result<analyzer::ServedStudy> open_served_study(const std::string& directory, const std::filesystem::path& data) {
  Result<StudyDirectory> opened = open_study_directory(directory);
  if (!opened) return opened.error();
  StudyDirectory& own = opened.value();
  if (!own.study) {
    return Error{"serve.no_study", "the directory has no study.toml that says what is asked", directory,
                 "restore the file that the study was compiled from"};
  }
  const Result<Manifest> manifest = analyzer::read_manifest(own.manifest, directory + "/manifest.bin");
  if (!manifest) return manifest.error();
  const std::span<const std::uint8_t> body = body_of(own.manifest);
  const Result<std::optional<HeldKey>> held = load_master_key(own.path);
  if (!held) return held.error();
  if (manifest.value().authenticated && !held.value() && !own.study->terms.tickets) return no_master_key(own);
  analyzer::ServedStudy out{
      std::move(*own.study),
      {body.begin(), body.end()},
      {},
      nullptr,
      own.study->regression ? fmt::format("sotto estimate {}", own.path.string()) : vote_command(own.path),
      {},
      {}};
  if (body.size() != own.manifest.size()) out.signed_manifest = own.manifest;
  if (held.value()) out.master = held.value()->get();
  const Digest digest = manifest_digest(manifest.value());
  if (out.study.regression && out.study.regression->protocol->asks_labels) {
    Result<std::unique_ptr<analyzer::DesignFile>> design =
        analyzer::DesignFile::open(own.path / analyzer::k_design_name, digest);
    if (!design) return design.error();
    out.design = std::move(design).value();
  }
  const Result<std::filesystem::path> made = make_data_directory(data, digest);
  if (!made) return made.error();
  out.data = made.value();
  if (out.study.terms.tickets) {
    if (const auto taken = take_tickets(out, own.path); !taken) return taken.error();
  }
  return out;
}

Result<analyzer::Done> sign_rounds_of(analyzer::ServedStudy& study, const std::string& directory,
                                      const std::string& key_file) {
  if (study.signed_manifest.empty()) return analyzer::Done{};
  if (key_file.empty()) {
    return Error{"serve.signed", "the server has no key to sign the rounds of a signed study with", directory,
                 "add --key KEY, or run its rounds with sotto estimate --close --key KEY"};
  }
  const Result<analyzer::SigningKey> key = load_signing_key(key_file);
  if (!key) return key.error();
  const Result<StudyDirectory> opened = open_study_directory(directory);
  if (!opened) return opened.error();
  const Result<std::vector<SignedFile>> signatures = signatures_of(opened.value(), key.value().public_key());
  if (!signatures) return signatures.error();
  if (!signatures.value().front().holds) {
    return Error{"sign.other_key", "this file carries a signature by another key",
                 signatures.value().front().path.string(), "name the key that signed the study"};
  }
  study.sign = [directory, key_file,
                key = key.value()](std::span<const std::uint8_t> body) -> Result<std::vector<std::uint8_t>> {
    const Result<Round> round = analyzer::read_round(body, "the round");
    if (!round) return round.error();
    const std::filesystem::path path = round_path(directory, round.value().number);
    const Result<bool> there = analyzer::is_there(path);
    if (!there) return there.error();
    if (!there.value()) {
      if (const auto written = write_bytes(path, body); !written) return written.error();
      if (const auto added = add_round_sum(directory, round.value().number, body); !added) return added.error();
    }
    const Result<StudyDirectory> own = open_study_directory(directory);
    if (!own) return own.error();
    const auto made = sign_directory(own.value(), key, logs_of_key(key_file, ""), true);
    if (!made) return made.error();
    Result<Bytes> bytes = read_bytes(path.string());
    if (!bytes) return bytes.error();
    if (!std::ranges::equal(body_of(bytes.value()), body)) {
      return Error{"collect.other_round", "the file of the round is not the round that the run asks", path.string(),
                   "move it away, and sign the round that the server writes"};
    }
    return bytes;
  };
  return analyzer::Done{};
}

}  // namespace sotto::cli
