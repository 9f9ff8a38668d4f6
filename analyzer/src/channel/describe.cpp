// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/describe.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/channel/utc_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {
namespace {

std::string scale_text(const ReadingScale& scale) {
  return fmt::format("(reading * {} {} {}) / 2^{}", scale.multiplier, scale.offset < 0 ? "-" : "+",
                     scale.offset < 0 ? -scale.offset : scale.offset, scale.shift);
}

std::string_view unit_text(PrivacyUnit unit) {
  switch (unit) {
    case PrivacyUnit::installation: return "installation: all samples of one device under one ledger";
    case PrivacyUnit::item: return "item: one record";
    case PrivacyUnit::label: return "label: one record's target; its features are public";
  }
  return "unknown";
}

std::string_view rows_text(RowUnits units) {
  switch (units) {
    case RowUnits::stated: return "stated: readings are scaled by the study";
    case RowUnits::centred:
      return "centred: readings are scaled by the study, and every device subtracts its own means";
    case RowUnits::own: return "own: every device subtracts its own means from its readings, and scales them itself";
  }
  return "unknown";
}

std::string questions_text(const Manifest& m) {
  std::vector<std::string_view> names;
  for (std::uint8_t q = 1; q <= k_question_last; ++q) {
    if (may_ask(m, static_cast<QuestionKind>(q))) names.push_back(question_name(static_cast<QuestionKind>(q)));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string hex_text(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t b : bytes) text += fmt::format("{:02x}", b);
  return text;
}

std::string pseudonym_text(std::uint64_t pseudonym) { return fmt::format("{:016x}", pseudonym); }

std::vector<Fact> describe(const Manifest& m) {
  std::vector<std::uint32_t> weights;
  for (std::uint32_t c = 0; c < m.cohorts; ++c)
    weights.push_back(m.weights[2 * c] | static_cast<std::uint32_t>(m.weights[2 * c + 1]) << 8);
  std::vector<Fact> facts{{"epsilon", nats_text(m.epsilon) + " nats for one answer"},
                          {"delta", m.delta == 0 ? "0" : fmt::format("{} ({} of 2^-64)", delta_text(m.delta), m.delta)},
                          {"answers", fmt::format("{} from one device", m.answers)},
                          {"unit", std::string(unit_text(m.unit))},
                          {"questions", questions_text(m)},
                          {"authenticated", m.authenticated ? "yes: reports are sealed with issued credentials"
                                                            : "no: anybody can send reports"},
                          {"collector", hex_text({m.collector, 16})},
                          {"seed", hex_text({m.seed, 32})},
                          {"features", fmt::format("{}", m.features)},
                          {"samples", fmt::format("{} rows, nominal", m.nominal_rows)},
                          {"deviation", fmt::format("{} of full scale", m.unit_q15 / 32768.0)},
                          {"units of rows", std::string(rows_text(m.units))},
                          {"cohorts", fmt::format("weights {}", fmt::join(weights, ", "))}};
  if (m.units == RowUnits::own) return facts;
  facts.push_back({"target scale", scale_text(manifest_scale(m, m.features))});
  if (m.one_scale) {
    facts.push_back({"feature scale", scale_text(manifest_scale(m, 0))});
  } else {
    for (std::uint32_t j = 0; j < m.features; ++j)
      facts.push_back({fmt::format("scale of feature {}", j), scale_text(manifest_scale(m, j))});
  }
  return facts;
}

std::vector<Fact> describe(const Round& r) {
  std::vector<Fact> facts{{"round", fmt::format("{}", r.number)},
                          {"study", hex_text(r.study)},
                          {"question", std::string(question_name(r.question))},
                          {"cohort", r.cohort == k_every_cohort ? "all devices" : fmt::format("{}", r.cohort)},
                          {"recipe", std::string(recipe_name(r.recipe))},
                          {"randomizer", fmt::format("{} {}", stem_name(r.stem), fmt::join(r.spec, " "))},
                          {"parameters", fmt::format("{}", fmt::join(r.parameter.at_place, " "))}};
  RoundTimes times;
  if (r.has_times != 0 && round_times(r, times) == Status::ok) facts.push_back({"open", times_text(times)});
  if (r.link != 0) facts.push_back({"link", fmt::format("{}", r.link)});
  for (std::uint32_t i = 0; i < r.model_size; ++i) {
    const ModelEntry entry = model_entry(r, i);
    facts.push_back(
        {fmt::format("model of feature {}", entry.feature), fmt::format("{:.9g}", entry.value_q24 / 16777216.0)});
  }
  for (std::uint32_t i = 0; i < r.pair_count; ++i) {
    const NumberPair pair = number_pair(r, i);
    facts.push_back({fmt::format("pair {}", i), fmt::format("{}, {}", pair.first, pair.second)});
  }
  return facts;
}

std::vector<Fact> describe(const ReportHeader& h) {
  std::uint8_t prefix[4];
  store_u32(prefix, h.study_prefix);
  return {{"question", std::string(question_name(h.question))},
          {"round", fmt::format("{}", h.round)},
          {"study", fmt::format("digest that begins with {}", hex_text(prefix))},
          {"pseudonym", pseudonym_text(h.pseudonym)}};
}

std::vector<Change> changes(const std::vector<Fact>& from, const std::vector<Fact>& to) {
  std::unordered_map<std::string, std::string> left, right;
  for (const Fact& fact : from) left.emplace(fact.field, fact.value);
  for (const Fact& fact : to) right.emplace(fact.field, fact.value);
  std::vector<Change> out;
  for (const Fact& fact : from) {
    const auto other = right.find(fact.field);
    if (other == right.end())
      out.push_back({fact.field, fact.value, "-"});
    else if (other->second != fact.value)
      out.push_back({fact.field, fact.value, other->second});
  }
  for (const Fact& fact : to) {
    if (!left.contains(fact.field)) out.push_back({fact.field, "-", fact.value});
  }
  return out;
}

}  // namespace sotto::analyzer
