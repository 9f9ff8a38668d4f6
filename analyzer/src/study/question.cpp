// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "question.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sotto/analyzer/propose/defaults.hpp"
#include "terms.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_dimension = "study.bad_dimension";
constexpr std::string_view k_channel = "study.bad_channel";
constexpr std::uint32_t k_features_max = k_categories_max - 1;
constexpr std::uint32_t k_cross_log2_min = 6;
constexpr std::uint32_t k_cross_log2_max = 12;

/// If nothing can be chosen, no channel of this kind is possible at this epsilon.
void take(StudyTable& table, const Result<AnySpec>& chosen, Study& study) {
  if (chosen) {
    study.spec = chosen.value();
  } else {
    table.refuse("study.bad_epsilon", "kind", fmt::format("has no channel at this epsilon: {}", chosen.error().what),
                 chosen.error().fix);
  }
}

void read_vote(StudyTable& table, EpsilonNano epsilon, Study& study) {
  VoteSpec spec;
  spec.epsilon = epsilon;
  spec.features = read_features(table, study);
  study.question = fmt::format("which of {} features matters here, or none", spec.features);
  study.spec = spec;
  study.recipe = read_recipe(table, study.terms, spec.features);
}

void read_bin(StudyTable& table, EpsilonNano epsilon, Study& study) {
  const std::uint32_t bins = table.whole("bins", 2, k_features_max, k_dimension, "one bin has one answer");
  study.question = fmt::format("in which of {} bins the value lies", bins);
  if (table.word("mechanism", {"vote", "hadamard_response"}, false) == "vote") {
    study.spec = VoteSpec{epsilon, bins, 0, 0, 0};
  } else {
    // The outcomes are Walsh functions 1 .. bins, so one more than the bins must fit.
    const auto log2_size = std::max(2u, static_cast<std::uint32_t>(std::bit_width(bins)));
    study.spec = HadamardResponseSpec{epsilon, log2_size, bins, 0};
  }
}

void read_block(StudyTable& table, EpsilonNano epsilon, Study& study) {
  const std::uint32_t features = read_features(table, study);
  const std::uint32_t widest = std::clamp(features, 2u, k_block_width_max);
  BlockSpec spec{
      epsilon,
      table.whole("width", 1, widest, k_channel, "a block has up to 24 signs, no more than there are features"), 0, 0};
  if (table.has("flips")) {
    spec.flips = table.whole("flips", 0, std::max(spec.width, 1u) - 1, k_channel,
                             "fewer flips than signs, or every word is inside");
  } else if (spec.width > 0) {
    spec.flips = default_flips(epsilon, spec.width);
  }
  study.question = fmt::format("the signs of {} of {} features, chosen by public coins", spec.width, features);
  study.spec = spec;
}

void read_value(StudyTable& table, EpsilonNano epsilon, Study& study) {
  study.question = "one number, clipped to [-1, 1]";
  if (table.word("mechanism", {"window", "laplace"}, false) == "laplace") {
    study.spec = LaplaceSpec{
        epsilon, table.whole("radius", 1, k_laplace_radius_max, k_channel, "grid steps from 0 to the clip"), 0};
  } else if (table.has("outcomes") || table.has("width")) {
    const std::uint32_t outcomes = table.whole("outcomes", 2, k_window_outcomes_max, k_channel, "K");
    const std::uint32_t width =
        table.whole("width", 1, std::max(outcomes, 2u) - 1, k_channel, "a window is narrower than the outcomes, k < M");
    study.spec = WindowSpec{epsilon, outcomes, width, 0};
  } else {
    take(table, default_window(epsilon), study);
  }
}

void read_sphere_code(StudyTable& table, EpsilonNano epsilon, std::uint32_t d, Study& study) {
  std::uint32_t codewords = k_default_codewords;
  if (table.has("codewords")) codewords = table.whole("codewords", 2, k_codewords_max, k_channel, "M");
  if (table.failed()) return;
  if (!table.has("closest")) return take(table, default_sphere_code(epsilon, d, codewords), study);
  const std::uint32_t closest = table.whole("closest", 1, codewords - 1, k_channel, "fewer than the codewords, k < M");
  study.spec = SphereCodeSpec{epsilon, d, codewords, closest, 0};
}

void read_cross_polytope(StudyTable& table, EpsilonNano epsilon, std::uint32_t d, Study& study) {
  std::uint32_t log2_size = std::max(k_cross_log2_min, static_cast<std::uint32_t>(std::bit_width(d - 1)));
  if (table.has("log2_size")) {
    log2_size =
        table.whole("log2_size", log2_size, k_cross_log2_max, k_channel, "2 to this power holds the dimension, and 64");
  }
  if (table.failed()) return;
  if (!table.has("closest")) return take(table, default_cross_polytope(epsilon, log2_size, d), study);
  const std::uint32_t closest =
      table.whole("closest", 1, std::uint32_t{1} << log2_size, k_channel, "no more than the axes, half of M");
  study.spec = CrossPolytopeSpec{epsilon, log2_size, d, closest, 0};
}

void read_direction(StudyTable& table, EpsilonNano epsilon, Study& study) {
  constexpr std::uint32_t k_max = std::uint32_t{1} << k_cross_log2_max;
  const std::uint32_t d =
      table.whole("dimension", 2, k_max, k_dimension, "a direction needs two coordinates; beyond 4096 ask for parts");
  study.question = fmt::format("a direction in {} dimensions", d);
  const bool chosen = table.has("mechanism");
  const std::string mechanism = table.word("mechanism", {"cross_polytope", "sphere_code", "hemisphere"}, false);
  const std::uint32_t most = mechanism == "hemisphere"    ? k_hemisphere_dimension_max
                             : mechanism == "sphere_code" ? k_sphere_dimension_max
                                                          : k_max;
  if (d > most)
    table.refuse(k_dimension, "dimension", fmt::format("is above {}, the most that {} takes", most, mechanism),
                 "use cross_polytope");
  for (const std::string_view key : {"closest", "codewords", "log2_size"}) {
    if (!chosen && table.has(key))
      table.refuse("study.bad_value", key, "belongs to one mechanism, and none is named", "add mechanism");
  }
  if (table.failed()) return;
  if (!chosen) return take(table, default_direction(epsilon, d), study);
  if (mechanism == "cross_polytope") return read_cross_polytope(table, epsilon, d, study);
  if (mechanism == "sphere_code") return read_sphere_code(table, epsilon, d, study);
  study.spec = HemisphereSpec{epsilon, d, 0};
}

}  // namespace

std::uint32_t read_features(StudyTable& table, Study& study, std::uint32_t least) {
  if (!study.terms.names.empty()) {
    study.features = study.terms.names;
    const auto listed = static_cast<std::uint32_t>(study.features.size());
    for (const std::string_view key : {"names", "features"}) {
      if (table.has(key))
        table.refuse("study.bad_value", key,
                     fmt::format("stands beside {} [[feature]] tables, which count themselves", listed),
                     fmt::format("leave {} out", key));
    }
    if (listed < least)
      table.refuse(k_dimension, "kind", "needs at least two [[feature]] tables", "describe every feature");
    return listed;
  }
  if (table.is_array("features")) {  // a list of names
    study.features = table.names("features");
    const auto named = static_cast<std::uint32_t>(study.features.size());
    if (named < least) table.refuse(k_dimension, "features", "must hold at least two names", "name every feature");
    if (table.has("names"))
      table.refuse("study.bad_value", "names", "stands beside features, which names them", "leave names out");
    return named;
  }
  if (!table.has("names"))
    return table.whole("features", least, k_features_max, k_dimension, "a question about one feature has one answer");
  study.features = table.names("names");
  const auto count = static_cast<std::uint32_t>(study.features.size());
  if (count < least) table.refuse(k_dimension, "names", "must hold at least two names", "name every feature");
  if (table.has("features") && table.whole("features", least, k_features_max, k_dimension, "at least two") != count) {
    table.refuse("study.bad_value", "features", fmt::format("is not the number of names, {}", count),
                 "leave features out: names count themselves");
  }
  return count;
}

void read_question(StudyTable& table, EpsilonNano epsilon, Study& study) {
  std::vector<std::string_view> kinds{"vote", "bin", "block", "value", "direction"};
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (facts->everyday) kinds.push_back(facts->name);
  }
  study.kind = table.word("kind", kinds, true);
  if (study.kind == "vote") return read_vote(table, epsilon, study);
  if (study.kind == "bin") return read_bin(table, epsilon, study);
  if (study.kind == "block") return read_block(table, epsilon, study);
  if (study.kind == "value") return read_value(table, epsilon, study);
  read_direction(table, epsilon, study);
}

}  // namespace sotto::analyzer
