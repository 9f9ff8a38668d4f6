// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "decode_tell.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "say.hpp"
#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/wire/report.hpp"

namespace sotto::cli {

using analyzer::Fact;
using analyzer::Result;
namespace fs = std::filesystem;

namespace {

/// The randomized answer in words, phrased so that nobody takes it for the device's true answer.
std::string meaning(const analyzer::AnySpec& spec, const std::vector<std::string>& names, std::uint32_t number) {
  const analyzer::ChannelFacts facts = analyzer::facts_of(spec);
  const std::uint32_t outcomes = facts.channel ? facts.channel->outcomes : std::uint32_t{1} << facts.payload_bits;
  if (number >= outcomes)
    return fmt::format("{}: outside the {} outcomes of the randomizer, so not from it", number, outcomes);
  std::string text = fmt::format("{} of {} outcomes", number, outcomes);
  const auto* vote = std::get_if<VoteSpec>(&spec);
  if (vote != nullptr && vote->oracle == static_cast<std::uint32_t>(VoteOracle::grr)) {
    text += number == vote->features ? ": none"
            : number < names.size()  ? fmt::format(": {}", names[number])
                                     : fmt::format(": feature {}", number);
  }
  if (!facts.channel) return text;
  const double inside = facts.channel->threshold / 4294967296.0;
  if (vote == nullptr && facts.channel->inside > 1) {
    return text + fmt::format("; randomized, one of the {} closest to the device's own answer with probability {:.3f}",
                              facts.channel->inside, inside);
  }
  text += fmt::format("; randomized, the device's own answer lies behind it with probability {:.3f}", inside);
  return text;
}

const Bytes* find_round(const Known& known, std::uint16_t number) {
  for (const Bytes& bytes : known.directory.rounds) {
    Round round;
    if (decode_round(bytes, round) == Status::ok && round.number == number) return &bytes;
  }
  return nullptr;
}

/// The line about the payload: its number, or why it cannot be read.
std::string payload_text(const ReportHeader& header, std::span<const std::uint8_t> report, const Known* known) {
  const std::size_t size = report.size() - report_bytes_of(0, header.authenticated);
  const std::string sealed = fmt::format("{} byte{}, sealed: ", size, size == 1 ? "" : "s");
  const bool ours = known != nullptr && header.study_prefix == load_u32(known->digest.data());
  const Bytes* bytes = ours ? find_round(*known, header.round) : nullptr;
  Bytes payload(report.begin() + k_header_bytes, report.begin() + static_cast<std::ptrdiff_t>(k_header_bytes + size));
  if (header.authenticated) {
    if (known == nullptr) return sealed + "only the study's collector can open it (--study DIR)";
    if (!ours) return sealed + "it belongs to another study";
    if (bytes == nullptr) return sealed + fmt::format("the directory has no round {}", header.round);
    if (!known->master) return sealed + "the directory has no master.key";
    Round round;
    static_cast<void>(decode_round(*bytes, round));
    const analyzer::StudyKeys keys(known->master->get(), known->digest);
    ReportKey key = keys.key(header.pseudonym);
    const bool opened = analyzer::open_sealed(key, {known->digest, round_digest(round)}, report, payload);
    analyzer::wipe_secret(key);
    if (!opened)
      return sealed + "the tag is wrong: changed on the way, of another round object, or sealed with another key";
  }
  const std::string raw = analyzer::hex_text(payload);
  if (bytes == nullptr || size > 4)
    return raw + (known == nullptr ? ": what it means is in the study (--study DIR)" : "");
  Round round;
  static_cast<void>(decode_round(*bytes, round));
  const Result<analyzer::AnySpec> spec = analyzer::round_spec(known->manifest, round);
  std::uint32_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | payload[i];
  const std::vector<std::string> none;
  return spec ? meaning(spec.value(), known->directory.study ? known->directory.study->features : none, number) : raw;
}

template <class Object>
Told tell_object(std::span<const std::uint8_t> bytes, std::string kind, const Result<Object>& object,
                 const Digest& digest) {
  Told told{std::move(kind), bytes.size(), {}, {}};
  if (!object) {
    told.refused = object.error().what;
    return told;
  }
  told.facts = analyzer::describe(object.value());
  told.facts.insert(told.facts.begin(), {"digest", analyzer::hex_text(digest)});
  told.facts.push_back({"signature", object.value().bytes.signature.empty()
                                         ? "none"
                                         : analyzer::hex_text(object.value().bytes.signature)});
  return told;
}

std::string feature_name(const std::vector<std::string>& names, std::uint32_t feature) {
  return feature < names.size() ? names[feature] : fmt::format("feature {}", feature);
}

}  // namespace

Result<std::unique_ptr<Known>> know(StudyDirectory directory) {
  auto known = std::make_unique<Known>();
  known->directory = std::move(directory);
  const fs::path path = known->directory.path;
  const Result<Manifest> manifest =
      analyzer::read_manifest(known->directory.manifest, (path / "manifest.bin").string());
  if (!manifest) return manifest.error();
  known->manifest = manifest.value();
  known->digest = manifest_digest(known->manifest);
  const Result<std::optional<HeldKey>> master = load_master_key(path);
  if (!master) return master.error();
  known->master = master.value();
  return known;
}

Result<std::unique_ptr<Known>> know(const std::string& path) {
  Result<StudyDirectory> directory = open_study_directory(path);
  if (!directory) return directory.error();
  return know(std::move(directory).value());
}

Told tell_report(std::span<const std::uint8_t> bytes, const Known* known) {
  Told told{"report", bytes.size(), {}, {}};
  ReportHeader header;
  if (const Status s = decode_header(bytes, header); s != Status::ok) {
    told.kind = "unknown";
    told.refused = fmt::format("{}: {}", status_name(s), analyzer::status_fix(s));
    return told;
  }
  told.facts = analyzer::describe(header);
  if (known != nullptr) {
    const bool ours = header.study_prefix == load_u32(known->digest.data());
    told.facts.push_back({"of this study", ours ? "yes, by the digest's first four bytes" : "no"});
  }
  told.facts.push_back({"payload", payload_text(header, bytes, known)});
  if (header.authenticated) told.facts.push_back({"tag", analyzer::hex_text(bytes.last(k_tag_bytes))});
  return told;
}

Told tell_round(std::span<const std::uint8_t> bytes, const std::vector<std::string>& names) {
  const Result<Round> read = analyzer::read_round(bytes, "this");
  Told told = tell_object(bytes, "round", read, read ? round_digest(read.value()) : Digest{});
  if (!read) return told;
  const Round& round = read.value();
  std::vector<std::string> candidates;
  for (std::uint32_t i = 0; i < round.model_size; ++i) {
    const std::uint32_t feature = model_entry(round, i).feature;
    candidates.push_back(feature_name(names, feature));
    for (Fact& fact : told.facts) {
      if (fact.field == fmt::format("model of feature {}", feature) && feature < names.size())
        fact.field = fmt::format("model of {}", names[feature]);
    }
  }
  if (round.question != QuestionKind::direction) return told;
  // The model of a direction names what is asked about (WIRE.md, section 6).
  told.facts.push_back({"radius", fmt::format("{:.6g}: answers are pulled into a ball of this size",
                                              round.parameter[recipe::vector::radius] / 16777216.0)});
  told.facts.push_back({"candidates", candidates.empty() ? std::string("all features")
                                                         : fmt::format("{}", fmt::join(candidates, ", "))});
  return told;
}

Told tell(const Captured& captured, const Known* known, const std::vector<std::string>& names) {
  if (captured.is_cut_off) return {"unknown", 0, {}, "the batch is cut off in its last report"};
  if (captured.kind == CaptureKind::round) return tell_round(captured.bytes, names);
  if (captured.kind != CaptureKind::manifest) return tell_report(captured.bytes, known);
  const Result<Manifest> manifest = analyzer::read_manifest(captured.bytes, "this");
  return tell_object(captured.bytes, "manifest", manifest, manifest ? manifest_digest(manifest.value()) : Digest{});
}

void print_told(const Told& told) {
  say("{:<14}  {} bytes{}\n", told.kind, told.bytes, told.kind == "report" ? ": this is all that left the device" : "");
  if (!told.refused.empty()) say("  {:<14}  {}\n", "refused", told.refused);
  std::size_t scales = 0;
  for (const Fact& fact : told.facts) {
    if (fact.field.starts_with("scale of feature") && ++scales > 8) continue;
    say("  {:<14}  {}\n", fact.field, fact.value);
  }
  if (scales > 8) say("  and {} more scales; --json shows all\n", scales - 8);
}

Json told_json(const Told& told) {
  Json fields = Json::object();
  for (const Fact& fact : told.facts) fields[fact.field] = fact.value;
  Json json = {{"kind", told.kind}, {"bytes", told.bytes}, {"fields", fields}};
  if (!told.refused.empty()) json["refused"] = told.refused;
  return json;
}

}  // namespace sotto::cli
