// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "terms.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "expand_columns.hpp"
#include "sotto/analyzer/channel/reading_scale.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/sha256.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_q15_one = 32768;

/// 32 hexadecimal digits are used as they are, any other text by its hash.
CollectorId collector_id(const std::string& text) {
  CollectorId id{};
  const auto digit = [](char c) { return std::string_view("0123456789abcdef").find(c); };
  if (text.size() == 2 * id.size() &&
      std::ranges::all_of(text, [&](char c) { return digit(c) != std::string::npos; })) {
    for (std::size_t i = 0; i < id.size(); ++i)
      id[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return id;
  }
  Digest digest;
  Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  hash.finish(digest);
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

/// The fingerprint of the key that signs tickets, as `sotto keygen --tickets` prints it.
std::optional<TicketFingerprint> read_ticket_key(StudyTable& study) {
  if (!study.has("tickets")) return std::nullopt;
  const std::string text = study.text("tickets");
  TicketFingerprint key{};
  const auto digit = [](char c) { return std::string_view("0123456789abcdef").find(c); };
  if (text.size() != 2 * key.size() ||
      std::ranges::any_of(text, [&](char c) { return digit(c) == std::string::npos; })) {
    study.refuse(k_bad_value, "tickets", "must be the 64 hexadecimal digits of a key's fingerprint",
                 "sotto keygen --tickets prints them");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < key.size(); ++i)
    key[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  return key;
}

/// Offset and scale in the sensor's unit, or the bounds low and high. Without them a reading is Q15 already.
Quantity read_quantity(StudyTable& table, bool is_named) {
  Quantity quantity;
  if (is_named) quantity.name = table.text("name");
  if (table.has("unit")) quantity.unit = table.text("unit");
  quantity.is_stated = (table.has("low") && table.has("high")) || (table.has("offset") && table.has("scale"));
  if (table.has("low") || table.has("high")) {
    const double low = table.number("low", 0), high = table.number("high", 0);
    quantity.offset = (low + high) / 2;
    quantity.scale = (high - low) / 2;
    for (const std::string_view key : {"offset", "scale"}) {
      if (table.has(key))
        table.refuse(k_bad_value, key, "stands beside low and high, which say the same", "leave it out");
    }
    if (!table.has("low") || !table.has("high")) {
      table.refuse(k_bad_value, table.has("low") ? "low" : "high", "stands alone: low and high go together",
                   "write both, or offset and scale");
    } else if (!(low < high)) {
      table.refuse(k_bad_value, "low", fmt::format("must be below high, {}", high), "write the smaller one first");
    }
  } else {
    quantity.offset = table.number("offset", 0);
    quantity.scale = table.number("scale", k_q15_one);
  }
  return quantity;
}

ReadingScale scale_of(StudyTable& table, const Quantity& quantity) {
  const Result<ReadingScale> made = reading_scale(quantity.offset, quantity.scale);
  if (made) return made.value();
  const bool is_bounded = table.has("low");
  table.refuse(made.error().code,
               is_bounded                               ? "low"
               : made.error().code == "study.bad_scale" ? "scale"
                                                        : "offset",
               "is none that readings can be scaled by", made.error().fix);
  return k_reading_is_q15;
}

void read_features(StudyTable& root, StudyTerms& terms) {
  if (!root.is_array("feature")) {
    StudyTable common = root.table("feature", false);
    terms.quantities = {read_quantity(common, false)};
    terms.scales = {scale_of(common, terms.quantities.front())};
    common.refuse_unknown();
    return;
  }
  terms.scales.clear();
  terms.quantities.clear();
  std::set<std::string> seen;
  for (StudyTable& feature : root.tables("feature")) {
    terms.quantities.push_back(read_quantity(feature, true));
    terms.names.push_back(terms.quantities.back().name);
    if (!seen.insert(terms.names.back()).second)
      feature.refuse(k_bad_value, "name", "is the name of another feature", "give every feature its own name");
    terms.scales.push_back(scale_of(feature, terms.quantities.back()));
    feature.refuse_unknown();
    if (feature.failed()) break;
  }
  if (terms.scales.empty()) {
    terms.scales = {k_reading_is_q15};
    terms.quantities = {{}};
  }
  // One scale for all features takes 13 bytes of a device's flash, instead of 13 for each.
  const auto equal = [&](const ReadingScale& s) {
    const ReadingScale& first = terms.scales.front();
    return s.offset == first.offset && s.multiplier == first.multiplier && s.shift == first.shift;
  };
  if (std::ranges::all_of(terms.scales, equal)) terms.scales.resize(1);
}

/// `units` and `centre` of [study].
std::optional<RowUnits> read_units(StudyTable& study) {
  if (!study.has("units") && !study.has("centre")) return std::nullopt;
  const bool fleet = study.has("centre") && study.word("centre", {"device", "fleet"}, false) == "fleet";
  const bool stated = study.has("units") ? study.word("units", {"device", "stated"}, false) == "stated" : fleet;
  if (fleet && !stated)
    study.refuse(k_bad_value, "centre", "cannot be \"fleet\" where devices use their own units",
                 "write units = \"stated\" beside it, or leave centre out");
  return fleet ? RowUnits::stated : stated ? RowUnits::centred : RowUnits::own;
}

/// [rounds]: when the first round opens, and how long each is open.
RoundSchedule read_schedule(StudyTable& root) {
  StudyTable rounds = root.table("rounds", true);
  RoundSchedule schedule;
  schedule.opens = rounds.moment("opens");
  schedule.length = rounds.whole("length", 60, 366 * 86'400, k_bad_value, "seconds that a round is open");
  rounds.refuse_unknown();
  return schedule;
}

}  // namespace

std::optional<std::string> StudyTerms::first_unstated() const {
  if (!target_quantity.is_stated) return "target";
  for (std::size_t j = 0; j < quantities.size(); ++j) {
    if (quantities[j].is_stated) continue;
    return quantities[j].name.empty() ? "feature" : fmt::format("feature \"{}\"", quantities[j].name);
  }
  return std::nullopt;
}

StudyTerms read_terms(StudyTable& root) {
  StudyTerms terms;
  StudyTable study = root.table("study", false);
  if (study.has("collector")) terms.collector = collector_id(study.text("collector"));
  terms.authenticated = study.flag("authenticated", terms.authenticated);
  terms.tickets = read_ticket_key(study);
  if (terms.tickets && !terms.authenticated)
    study.refuse(k_bad_value, "tickets", "stands in a study without credentials, which needs no enrolment",
                 "leave it out, or authenticated = false");
  if (study.has("samples"))
    terms.samples = study.whole("samples", 1, k_rows_max, k_bad_value, "rows of one device that formulas count with");
  if (study.has("answers"))
    terms.answers = study.whole("answers", 1, 65535, k_bad_value, "rounds that one device may answer");
  terms.weights = study.weights("cohorts", k_cohorts_max);
  if (study.has("minimum"))
    terms.minimum = study.whole("minimum", 0, 1'000'000'000, k_bad_value, "reports below which there is no estimate");
  const double deviation = study.number("deviation", terms.unit_q15 / k_q15_one);
  if (!(deviation > 0 && deviation <= 1) || deviation * k_q15_one < 0.5) {
    study.refuse(k_bad_value, "deviation", "must be above 0 and at most 1: the standard deviation of a scaled feature",
                 "write 0.25 where the scale is four standard deviations");
  } else {
    terms.unit_q15 = static_cast<std::uint32_t>(std::lround(deviation * k_q15_one));
  }
  terms.asked_units = read_units(study);
  read_columns(root, study, terms);
  study.refuse_unknown();
  read_features(root, terms);
  StudyTable target = root.table("target", false);
  terms.target_quantity = read_quantity(target, target.has("name"));
  terms.target = scale_of(target, terms.target_quantity);
  terms.target_kind = parse_target_kind(target.word("kind", k_target_kinds, false)).value_or(TargetKind::number);
  target.refuse_unknown();
  if (root.has("rounds")) terms.rounds = read_schedule(root);
  return terms;
}

}  // namespace sotto::analyzer
