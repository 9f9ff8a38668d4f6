// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "sotto/analyzer/asked/asked_log.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"

// Makes log entries from signed manifests and rounds, and finds contradictions between them.
namespace sotto::analyzer {
namespace {

std::string_view unit_word(PrivacyUnit unit) {
  switch (unit) {
    case PrivacyUnit::installation: return "installation";
    case PrivacyUnit::item: return "item";
    case PrivacyUnit::label: return "label";
  }
  return "unknown";
}

/// The fields that a manifest fixes for all its rounds.
AskedEntry from_manifest(const Manifest& manifest) {
  AskedEntry entry;
  entry.study = entry.digest = manifest_digest(manifest);
  entry.unit = unit_word(manifest.unit);
  entry.epsilon_nano = manifest.epsilon;
  entry.delta = manifest.delta;
  entry.answers = manifest.answers;
  for (std::uint8_t q = 1; q <= k_question_last; ++q) {
    if (!may_ask(manifest, static_cast<QuestionKind>(q))) continue;
    entry.question += (entry.question.empty() ? "" : " ") + std::string(question_name(static_cast<QuestionKind>(q)));
  }
  return entry;
}

}  // namespace

Result<AskedEntry> asked_entry(std::span<const std::uint8_t> body, std::span<const std::uint8_t> manifest) {
  const bool is_round = body.size() >= 4 && body[3] == 'R';  // the magic is SOTR; the decoders check all four bytes
  const Result<Manifest> study = read_manifest(is_round ? manifest : body, "the manifest");
  if (!study) return study.error();
  AskedEntry entry = from_manifest(study.value());
  entry.body.assign(body.begin(), body.end());
  if (!is_round) {
    if (!study.value().bytes.signature.empty()) entry.body.resize(study.value().bytes.body.size());
    return entry;
  }
  const Result<Round> round = read_round(body, "the round");
  if (!round) return round.error();
  if (round.value().study != entry.study) {
    return Error{"log.foreign_round", "this round was made for another study",
                 fmt::format("round {} of {}", round.value().number, hex_text(round.value().study)),
                 "move it to the directory of its study"};
  }
  entry.is_round = true;
  entry.body.resize(round.value().bytes.body.size());
  entry.digest = round_digest(round.value());
  entry.round = round.value().number;
  entry.question = question_name(round.value().question);
  return entry;
}

Result<bool> already_asked(const AskedLog& log, const AskedEntry& entry) {
  for (const AskedEntry& old : log.entries) {
    if (old.is_round != entry.is_round || old.study != entry.study) continue;
    if (old.digest == entry.digest) return true;
    if (old.round == entry.round) {
      return Error{
          "log.asked_otherwise", fmt::format("round {} of this study was signed before with other bytes", entry.round),
          hex_text(old.digest),
          "put back the round that was signed: two rounds of one number split a fleet, and the log would show it"};
    }
  }
  return false;
}

}  // namespace sotto::analyzer
