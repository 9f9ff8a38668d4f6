// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a manifest, and manifests that are made of the fuzzer's numbers and then damaged: refused, or every field can be
// read, the encoder gives the same body back, and the questions that it allows are refused or answered.
#include "fuzz_ask.hpp"
#include "sotto/local/readings.hpp"
#include "sotto/wire/encode.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

std::vector<std::uint8_t> made_manifest(Taker& take) {
  Manifest m;
  m.authenticated = take.flag();
  m.one_scale = take.u8() % 8 != 0;
  m.unit = static_cast<PrivacyUnit>(take.u8() % 3);
  m.cohorts = 1 + take.u8() % (take.u8() % 8 == 0 ? k_cohorts_max : 3);
  m.features = m.one_scale && take.flag() ? take.u16() : 1 + take.u8() % 40;
  m.nominal_rows = 1 + take.below(1024);
  m.answers = 1 + take.u8();
  m.unit_q15 = 1 + take.below(32768);
  m.epsilon = take.flag() ? k_epsilon_one * (1 + take.u8() % 12) : take.u64() % (2 * k_epsilon_max);
  m.delta = take.flag() ? 18446744073709u : take.u64();
  m.questions = static_cast<std::uint16_t>(take.flag() ? 0x1ffe : take.u16());
  std::uint8_t seed[32], collector[16], weights[2 * k_cohorts_max];
  take.fill(std::span(seed).first(4));
  take.fill(std::span(collector).first(1));
  std::vector<std::uint8_t> scales(k_scale_bytes * (m.one_scale ? 2 : m.features + 1));
  ByteWriter to_weights{weights};
  for (std::uint32_t i = 0; i < k_cohorts_max; ++i) to_weights.u16(take.flag() ? 1 : take.u16());
  for (std::size_t at = 0; at < scales.size(); at += k_scale_bytes) {
    const ReadingScale scale{static_cast<std::int64_t>(take.u64()) >> (take.u8() % 64),
                             static_cast<std::int32_t>(take.interesting()), static_cast<std::uint8_t>(take.u8() % 63)};
    encode_scale(scale, std::span(scales).subspan(at).first<k_scale_bytes>());
  }
  m.seed = seed;
  m.collector = collector;
  m.weights = weights;
  m.scales = scales.data();
  std::vector<std::uint8_t> bytes(k_manifest_max_bytes);
  ByteWriter writer{bytes};
  encode_manifest(m, writer);
  bytes.resize(writer.size());
  if (take.u8() % 8 == 0) bytes.insert(bytes.end(), 1 + 64, 64);  // a signature
  damage(take, bytes);
  return bytes;
}

void read(const Manifest& m, std::size_t size) {
  must(m.epsilon >= 1 && m.epsilon <= k_epsilon_max && m.cohorts >= 1 && m.features >= 1 && m.nominal_rows >= 1);
  must(m.bytes.body.size() + (m.bytes.signature.empty() ? 0 : 1 + m.bytes.signature.size()) == size);
  for (std::uint32_t j = 0; j <= m.features; ++j) {
    const ReadingScale scale = manifest_scale(m, j);
    must(scale.shift <= 61);
    for (const std::int32_t reading : {-2147483647 - 1, -1, 0, 1, 2147483647})
      static_cast<void>(reading_q15_saturate(reading, scale));  // no sanitizer objects, whatever the scale
  }
  for (std::uint64_t pseudonym = 1; pseudonym < 20; ++pseudonym) must(cohort_of(m, pseudonym) < m.cohorts);
  std::vector<std::uint8_t> again(k_manifest_max_bytes);
  ByteWriter writer{again};
  encode_manifest(m, writer);
  must(!writer.overflowed() && std::ranges::equal(writer.written(), m.bytes.body));
}

/// A round of each kind that is allowed, with the recipe and the randomizer that the fuzzer chooses.
void ask_all(Taker& take, const Manifest& m) {
  FuzzRows rows(take.u8() % 12, m.features, take.u8());
  for (const Question* question : k_every_question) {
    if (!may_ask(m, question->kind) || take.empty()) continue;
    Round r;
    r.question = question->kind;
    r.number = 1;
    r.recipe = static_cast<Recipe>(take.u8() % (k_recipe_last + 1));
    r.study = manifest_digest(m);
    for (std::uint32_t& p : r.parameter.at_place) p = take.interesting();
    put_any_spec(take, m, r);
    const std::uint8_t model[2 * k_model_bytes] = {0, 0, 0, 0, 64, 0, 1, 0, 0, 0, 0xc0, 0xff};
    r.model = model;
    r.model_size = take.u8() % 3;
    static_cast<void>(ask(*question, m, r, 1 + take.u8(), rows));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> given{data, size};
  Taker take(given);
  const std::vector<std::uint8_t> bytes =
      text_of(given).starts_with("SOTM") ? std::vector<std::uint8_t>(given.begin(), given.end()) : made_manifest(take);
  Manifest m;
  if (decode_manifest(bytes, m) != Status::ok) return 0;
  read(m, bytes.size());
  if (m.features <= 4096) ask_all(take, m);
  return 0;
}
