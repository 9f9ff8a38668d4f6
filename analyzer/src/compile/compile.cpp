// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/compile/compile.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/bytes.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/wire/encode.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_seed_label = "sotto-simulated-study";

struct ManifestFacts {
  std::uint32_t features;
  EpsilonNano epsilon;
  std::uint16_t questions;  // bit k: question k
};

std::vector<std::uint8_t> manifest_bytes(const Study& study, const ManifestFacts& facts, const StudySeed& seed) {
  const StudyTerms& terms = study.terms;
  std::vector<std::uint8_t> weights, scales;
  for (const std::uint16_t w : terms.weights)
    weights.insert(weights.end(), {static_cast<std::uint8_t>(w), static_cast<std::uint8_t>(w >> 8)});
  const auto add_scale = [&scales](const ReadingScale& scale) {
    std::array<std::uint8_t, k_scale_bytes> bytes;
    encode_scale(scale, bytes);
    scales.insert(scales.end(), bytes.begin(), bytes.end());
  };
  if (terms.units != RowUnits::own) {
    add_scale(terms.target);
    for (const ReadingScale& scale : terms.scales) add_scale(scale);
  }

  Manifest m;
  m.authenticated = terms.authenticated;
  m.units = terms.units;
  m.one_scale = terms.units != RowUnits::own && terms.scales.size() == 1;
  m.questions = facts.questions;
  m.features = facts.features;
  m.nominal_rows = terms.samples;
  m.answers = terms.answers;
  m.unit_q15 = terms.unit_q15;
  m.epsilon = facts.epsilon;
  m.delta = facts_of(study.spec).delta;
  m.unit = study.unit;
  m.collector = terms.collector.data();
  m.seed = seed.data();
  m.cohorts = static_cast<std::uint32_t>(terms.weights.size());
  m.weights = weights.data();
  m.scales = scales.data();
  std::vector<std::uint8_t> bytes(k_manifest_max_bytes);
  ByteWriter writer{bytes};
  encode_manifest(m, writer);
  bytes.resize(writer.overflowed() ? 0 : writer.size());
  return bytes;
}

std::vector<std::uint8_t> round_bytes(const VoteRecipe& vote, const VoteSpec& spec, const Digest& study,
                                      const RoundTimes& times) {
  std::uint8_t fields[4 * k_spec_fields];
  ByteWriter packed{fields};
  encode_fields(spec, packed);
  Round r;
  r.question = QuestionKind::vote;
  r.number = 1;
  r.study = study;
  r.cohort = vote.cohort;
  r.recipe = vote.recipe;
  r.stem = Stem::vote;
  for (std::size_t i = 0; i < k_spec_fields; ++i) r.spec[i] = load_u32(fields + 4 * i);
  r.parameter[recipe::selection::columns] = vote.keep;
  r.parameter[recipe::selection::lambda] = vote.lambda_q24;
  r.parameter[recipe::selection::pick] = static_cast<std::uint32_t>(vote.pick);
  r.parameter[recipe::selection::visits] = vote.visits;
  std::vector<std::uint8_t> bytes(k_round_max_bytes);
  ByteWriter writer{bytes};
  encode_round(r, writer, times);
  bytes.resize(writer.size());
  return bytes;
}

}  // namespace

StudySeed drawn_seed() {
  StudySeed seed;
  random_bytes(seed);
  return seed;
}

StudySeed repeatable_seed(std::uint64_t number) {
  std::uint8_t name[8];
  ByteWriter(name).u64(number);
  Digest seed;
  Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(k_seed_label.data()), k_seed_label.size()});
  hash.add(name);
  hash.finish(seed);
  return seed;
}

namespace {

/// The fields of a manifest, for a study that can be compiled.
Result<ManifestFacts> facts_for_manifest(const Study& study) {
  if (study.regression) {
    const RegressionTerms& terms = *study.regression;
    return ManifestFacts{terms.features, terms.epsilon, study.plan ? study.plan->questions : std::uint16_t{0}};
  }
  const VoteSpec* const spec = std::get_if<VoteSpec>(&study.spec);
  if (study.kind != "vote" || spec == nullptr) {
    return Error{"study.no_recipe", "only a vote can be compiled without a protocol", study.kind,
                 "compile a vote or a protocol; without --out the file is checked and its promise shown"};
  }
  return ManifestFacts{spec->features, spec->epsilon,
                       static_cast<std::uint16_t>(1u << static_cast<unsigned>(QuestionKind::vote))};
}

Result<Done> add_first_round(const Study& study, const Manifest& manifest, CompiledStudy& out) {
  if (!study.regression) {
    out.round =
        round_bytes(study.recipe, std::get<VoteSpec>(study.spec), manifest_digest(manifest), study.terms.rounds.of(1));
    return Done{};
  }
  const Result<std::unique_ptr<Protocol>> protocol = start_protocol(study, manifest);
  if (!protocol) return protocol.error();
  Result<std::optional<std::vector<std::uint8_t>>> round = protocol.value()->open();
  if (!round) return round.error();
  if (round.value()) {
    out.round = std::move(*round.value());
  } else {
    out.why_hopeless = protocol.value()->model().why_verdict;
  }
  return Done{};
}

}  // namespace

Result<std::vector<std::uint8_t>> study_manifest(const Study& study, const StudySeed& seed) {
  const Result<ManifestFacts> facts = facts_for_manifest(study);
  if (!facts) return facts.error();
  const std::uint32_t features = facts.value().features;
  if (features > k_features_max) {
    return Error{"study.bad_dimension", "a manifest counts at most 65535 features", fmt::format("{}", features),
                 "ask about groups of features"};
  }
  std::vector<std::uint8_t> bytes = manifest_bytes(study, facts.value(), seed);
  if (bytes.empty()) {
    return Error{"study.too_large", "the scales do not fit into a manifest of 64 KiB",
                 fmt::format("{} features of 13 bytes", features), "give one [feature] table with a common scale"};
  }
  return bytes;
}

Result<CompiledStudy> compile_study(const Study& study, const StudySeed& seed) {
  Result<std::vector<std::uint8_t>> bytes = study_manifest(study, seed);
  if (!bytes) return bytes.error();
  CompiledStudy out;
  out.manifest = std::move(bytes).value();
  // The result is decoded once, so that nothing is published that a device would refuse.
  const Result<Manifest> manifest = read_manifest(out.manifest, "the compiled manifest");
  if (!manifest) return manifest.error();
  if (const auto added = add_first_round(study, manifest.value(), out); !added) return added.error();
  if (out.round.empty()) return out;
  const Result<Round> round = read_round(out.round, "the compiled round");
  if (!round) return round.error();
  if (const Result<AnySpec> checked = round_spec(manifest.value(), round.value()); !checked) return checked.error();
  return out;
}

}  // namespace sotto::analyzer
