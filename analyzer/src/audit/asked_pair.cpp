// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/asked_pair.hpp"

#include "sotto/sha256.hpp"
#include "sotto/wire/encode.hpp"

namespace sotto::analyzer::audit {

namespace {

constexpr std::uint8_t k_seed[32] = {'s', 'o', 't', 't', 'o', '-', 'a', 'u', 'd', 'i', 't'};
constexpr std::uint8_t k_collector[16] = {0xa0};
constexpr std::uint8_t k_weights[] = {1, 0, 1, 0};  // two cohorts of equal size
constexpr Q15 k_far = 30000;                        // 0.92: beyond every range that a pair asks for

}  // namespace

void AskedPair::begin(EpsilonNano epsilon) noexcept {
  manifest = Manifest{};
  round = {};
  held_rows_ = k_audit_rows;
  manifest.one_scale = true;
  manifest.features = k_audit_features;
  manifest.nominal_rows = k_audit_rows;
  manifest.answers = 2;
  manifest.unit_q15 = 8192;
  manifest.epsilon = epsilon;
  manifest.collector = k_collector;
  manifest.seed = k_seed;
  manifest.cohorts = 2;
  manifest.weights = k_weights;
  for (std::size_t i = 0; i < 2; ++i)
    encode_scale({0, 1, 0}, std::span{scales_}.subspan(i * k_scale_bytes).first<k_scale_bytes>());
  manifest.scales = scales_;
  round.cohort = k_audit_cohort;
}

void AskedPair::ask(Recipe recipe, std::initializer_list<std::uint32_t> parameters) noexcept {
  round.recipe = recipe;
  std::size_t i = 0;
  for (const std::uint32_t p : parameters) round.parameter.at_place[i++] = p;
}

void AskedPair::model(std::initializer_list<ModelEntry> entries) noexcept {
  ByteWriter writer{model_};
  for (const ModelEntry& e : entries) {
    writer.u16(e.feature);
    writer.u32(static_cast<std::uint32_t>(e.value_q24));
  }
  round.model = model_;
  round.model_size = static_cast<std::uint32_t>(entries.size());
}

void AskedPair::range(NumberPair pair) noexcept {
  ByteWriter writer{range_};
  writer.u32(static_cast<std::uint32_t>(pair.first));
  writer.u32(static_cast<std::uint32_t>(pair.second));
  round.pairs = range_;
  round.pair_count = 1;
}

void AskedPair::contrast(Contrast by) noexcept {
  given_[0] = 2;
  given_[1] = 5000;  // no such feature: none
  if (by == Contrast::given) held_rows_ = 0;
  for (int second = 0; second < 2; ++second) {
    for (std::uint32_t i = 0; i < k_audit_rows; ++i) {
      Q15* const row = rows_[second] + i * (k_audit_features + 1);
      // Targets of both signs where the question correlates them with a feature.
      const bool turned = by == Contrast::feature && (i & 1u) != 0;
      const bool negative = second != 0 && (by == Contrast::target || by == Contrast::record);
      row[k_audit_features] = static_cast<Q15>(negative != turned ? -k_far : k_far);
      for (std::uint32_t j = 0; j < k_audit_features; ++j) {
        Q15 x = k_far;
        if (by == Contrast::feature) x = j == static_cast<std::uint32_t>(second) ? row[k_audit_features] : Q15{0};
        if (second != 0 && (by == Contrast::record || (by == Contrast::pattern && (j & 1u) != 0)))
          x = static_cast<Q15>(-x);
        row[j] = x;
      }
    }
  }
}

void AskedPair::write(QuestionKind kind) noexcept {
  manifest.questions = static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
  ByteWriter out{manifest_space_};
  encode_manifest(manifest, out);
  manifest_size_ = out.size();
  sha256(manifest_bytes(), digest);
  round.question = kind;
  round.study = digest;
}

std::span<const std::uint8_t> AskedPair::round_bytes(std::uint16_t number) noexcept {
  round.number = number;
  ByteWriter out{round_space_};
  encode_round(round, out);
  return out.written();
}

LocalData AskedPair::local(bool first) const noexcept {
  const int which = first ? 0 : 1;
  // Numbers beyond every range that a pair asks for, and two items that differ in the end, of which a hash is asked.
  constexpr std::int32_t k_number = 1 << 30;
  static constexpr std::uint8_t k_items[2][8] = {{'a', 'n', ' ', 'i', 't', 'e', 'm', '1'},
                                                 {'t', 'h', 'e', ' ', 'n', 'e', 'x', 't'}};
  return {{held_rows_, k_audit_features, rows_[which], k_audit_features + 1, nullptr, nullptr},
          given_[which],
          {1, nullptr, nullptr, first ? -k_number : k_number},
          sizeof k_items[0],
          k_items[which]};
}

}  // namespace sotto::analyzer::audit
