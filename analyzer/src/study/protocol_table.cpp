// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "expand_columns.hpp"
#include "question.hpp"
#include "sotto/local/samples.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_devices_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t k_model_max = 64, k_rounds_max = 1000;

double positive(StudyTable& table, std::string_view key, double fallback) {
  const double value = table.number(key, fallback);
  if (value > 0 && value <= 1000) return value;
  table.refuse(k_bad_value, key, "must be above 0 and at most 1000: it counts standard deviations",
               fmt::format("write {} = {}", key, fallback));
  return fallback;
}

constexpr double k_validation_of_rows = 0.1;
// The share of the target's variance that eight variables or so explain where nobody knows better.
constexpr double k_explained = 1.0 / 3;

/// Who centres and scales a device's rows: what the file says, else the device wherever the protocol lets it.
void choose_units(StudyTable& table, Study& study, RegressionTerms& terms) {
  StudyTerms& said = study.terms;
  const std::optional<std::string> unstated = said.first_unstated();
  const bool by_device = terms.protocol->from_all_rows;
  if (!by_device && said.asked_units.value_or(RowUnits::stated) != RowUnits::stated) {
    return table.refuse(k_bad_value, "kind",
                        fmt::format("is {}, whose devices do not answer from all of their rows and cannot centre them",
                                    terms.protocol->name),
                        "write centre = \"fleet\" and units = \"stated\" in [study], with every offset and scale");
  }
  if (by_device && said.asked_units && *said.asked_units != RowUnits::own && unstated) {
    return table.refuse(
        "study.missing_key", "kind",
        fmt::format("asks in stated units, and offset and scale of {} are not stated", *unstated),
        "state both for every feature and the target, or leave units and centre out of [study]: devices "
        "then use their own");
  }
  said.units = said.asked_units.value_or(!by_device                                           ? RowUnits::stated
                                         : terms.protocol->prefers_stated_scales && !unstated ? RowUnits::centred
                                                                                              : RowUnits::own);
  terms.units = said.units;
  // In own units the target has a variance of 1; what noise and norm say of it is their ratio.
  if (terms.units == RowUnits::own && terms.link == TargetLink::identity) terms.assume_explained(terms.explained());
}

/// The kind of the target, which its table states, or the link that it has. A class has the link of the protocol that
/// was named, if it is one of classes; "auto" decides itself.
void choose_kind(StudyTable& table, const ProtocolFacts* named, const StudyTerms& said, RegressionTerms& terms) {
  terms.kind = terms.link == TargetLink::logistic ? TargetKind::two_classes : said.target_kind;
  if (said.target_kind == TargetKind::number || said.target_kind == terms.kind) {
    const bool is_free = terms.kind == TargetKind::two_classes && !table.has("link");
    if (is_free && (named == nullptr || named->takes(TargetLink::logistic))) terms.link = TargetLink::logistic;
    if (terms.link != TargetLink::cosine || terms.kind == TargetKind::number) return;
  }
  table.refuse(k_bad_value, "link",
               fmt::format("does not go with target.kind = \"{}\"", target_kind_name(said.target_kind)),
               "leave one of them out");
}

/// What only protocols that collect once take.
void read_once(StudyTable& table, const std::string& mechanism, const Study& study, RegressionTerms& terms) {
  OnceTerms once;
  once.way = parse_way(mechanism).value_or(OnceWay::automatic);
  once.delta = study.delta;
  once.row_norm = positive(table, "row_norm", once.row_norm);
  once.target_bound = positive(table, "target_bound", once.target_bound);
  once.bandwidth = positive(table, "bandwidth", once.bandwidth);
  if (once.target_bound > 1)
    table.refuse(k_bad_value, "target_bound", "is beyond full scale, 1", "give the target a larger scale");
  if (table.has("projected")) {
    once.projected = table.whole("projected", 8, 256, k_bad_value, "numbers that a record becomes");
    if (once.projected % 8 != 0)
      table.refuse(k_bad_value, "projected", "is no multiple of 8", fmt::format("write {}", once.projected / 8 * 8));
  }
  if (table.has("cells")) once.cells = table.whole("cells", 2, 65536, k_bad_value, "of each feature");
  if (table.has("degree")) once.degree = table.whole("degree", 1, 8, k_bad_value, "of the polynomial");
  once.isotropic = table.flag("isotropic", false);
  terms.once = once;
}

}  // namespace

void read_protocol(StudyTable& root, StudyTable& table, EpsilonNano epsilon, const StudyPlanner& planner,
                   Study& study) {
  RegressionTerms terms;
  std::vector<std::string_view> kinds{"auto"};
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (!facts->everyday) kinds.push_back(facts->name);
  }
  const std::string kind = table.word("kind", kinds, false);
  const ProtocolFacts* const named = find_protocol(kind);
  terms.epsilon = epsilon;
  terms.features = read_features(table, study, named == nullptr ? k_no_protocol.features_min : named->features_min);
  terms.features = expand_columns(table, terms.features, study);
  terms.samples = study.terms.samples;
  terms.unit_q15 = study.terms.unit_q15;
  terms.minimum = study.terms.minimum;
  terms.devices = table.whole("devices", 1, k_devices_max, k_bad_value, "how many devices are expected to answer");
  if (terms.features > k_features_max)
    table.refuse("study.bad_dimension", table.has("names") ? "names" : "features",
                 fmt::format("counts more than the {} features that a manifest can hold", k_features_max),
                 "ask about groups of features");
  terms.sparsity = std::min(terms.sparsity, std::max(1u, terms.features));
  if (table.has("sparsity"))
    terms.sparsity = table.whole("sparsity", 1, k_model_max, k_bad_value, "how many variables matter at most");
  if (terms.features > 0 && terms.sparsity > terms.features)
    table.refuse(k_bad_value, "sparsity", fmt::format("is above the number of features, {}", terms.features),
                 fmt::format("write at most {}; a few is usual", terms.features));
  const bool says_sizes = table.has("noise") || table.has("norm");
  terms.noise = positive(table, "noise", terms.noise);
  terms.norm = positive(table, "norm", terms.norm);
  if (table.has("explained")) {
    const double share = table.number("explained", k_explained);
    if (!(share > 0 && share < 1))
      table.refuse(k_bad_value, "explained",
                   "must be above 0 and below 1: the share of the target's variance that the model explains",
                   "write explained = 0.33 if you do not know");
    else if (says_sizes)
      table.refuse(k_bad_value, "explained", "stands beside noise and norm, which say the same", "leave them out");
    else
      terms.assume_explained(share);
  }
  terms.correlated = table.flag("correlated", false);
  terms.signs = table.word("features_are", {"numbers", "signs"}, false) == "signs";
  if (const auto link = parse_link(table.word("link", {"identity", "cosine", "logistic"}, false)))
    terms.link = link.value();
  choose_kind(table, named, study.terms, terms);
  terms.link_zero = study.terms.target_quantity.offset;
  terms.link_unit = study.terms.target_quantity.scale * terms.unit();
  const std::string source = table.word("source", {"analyst", "truth", "data"}, false);
  terms.source = source == "truth" ? AssumedFrom::truth : source == "data" ? AssumedFrom::data : AssumedFrom::analyst;
  const std::string mechanism =
      table.word("mechanism", {"default", "paper", "projected", "moments", "direct", "binned"}, false);
  terms.paper = mechanism == "paper";
  if (table.has("rounds"))
    terms.steps = table.whole("rounds", 1, k_rounds_max, k_bad_value, "cohorts that are asked one after the other");
  terms.delta = study.delta;
  choose_label_way(table.word("label", {"auto", "one-bit", "window", "laplace", "gaussian"}, false), terms.label);
  terms.target_is_normal = table.word("target_law", {"unknown", "normal"}, false) == "normal";
  if (table.has("target_deviation")) terms.target_deviation = positive(table, "target_deviation", 1);
  study.kind = "protocol";
  if (table.failed()) return;
  // A sparse mean from one direct or projected report is a different protocol from the one with several rounds.
  const ProtocolFacts* const asked = find_protocol(kind, mechanism);
  planner.choose(asked == nullptr ? kind : asked->name, terms);
  if (terms.steps != 0 && !terms.protocol->takes_rounds) {
    const auto takes_rounds = [](const ProtocolFacts& facts) { return facts.takes_rounds; };
    return table.refuse(k_bad_value, "rounds", fmt::format("is for {} itself to say", terms.protocol->name),
                        fmt::format("leave rounds out, or ask for {}", protocol_names(takes_rounds, ", ", " or ")));
  }
  const auto refuse = [&table](const Error& error) {
    table.refuse(
        error.code, "kind",
        fmt::format("cannot be planned: {}{}", error.what, error.value.empty() ? "" : " (" + error.value + ")"),
        error.fix);
  };
  if (terms.protocol->collects_once()) {
    read_once(table, mechanism, study, terms);
    if (table.failed()) return;
  } else if (mechanism != "default" && mechanism != "paper") {
    return table.refuse(k_bad_value, "mechanism", fmt::format("is no mechanism of {}", terms.protocol->name),
                        "write \"default\" or \"paper\"");
  }
  if (!says_sizes && !table.has("explained") && terms.protocol->from_all_rows && terms.link == TargetLink::identity)
    terms.assume_explained(k_explained);
  choose_units(table, study, terms);
  terms.validation = default_validation(terms.devices, terms.epsilon);
  // One row says little of a model, and several cohorts share the devices that measure.
  if (!terms.protocol->from_all_rows) terms.validation = std::max(terms.validation, k_validation_of_rows);
  if (table.has("validation")) {
    terms.validation = table.number("validation", terms.validation);
    if (!(terms.validation >= 0 && terms.validation <= 0.5))
      table.refuse(k_bad_value, "validation", "must be from 0 to 0.5: the share of devices that teach nothing",
                   "write validation = 0.1, or 0 to measure nothing");
  }
  read_between(root, study, terms);
  if (table.failed()) return;
  Result<ProtocolPlan> plan = planner.plan(terms);
  if (!plan) return refuse(plan.error());
  if (!plan.value().why.empty()) terms.why_protocol = plan.value().why;
  if (terms.protocol->asks_labels) study.unit = PrivacyUnit::label;
  study.question = fmt::format("its share of the protocol {}: {}", terms.protocol->name, terms.why_protocol);
  study.spec = plan.value().first;
  study.terms.weights = plan.value().weights;
  study.regression = std::move(terms);
  study.plan = std::move(plan).value();
}

}  // namespace sotto::analyzer
