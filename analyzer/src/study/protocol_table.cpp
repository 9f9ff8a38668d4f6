// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "question.hpp"
#include "sotto/analyzer/protocol/protocol.hpp"
#include "sotto/local/samples.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_value = "study.bad_value";
constexpr std::uint32_t k_devices_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t k_model_most = 64, k_rounds_most = 1000;

double positive(StudyTable& table, std::string_view key, double fallback) {
  const double value = table.number(key, fallback);
  if (value > 0 && value <= 1000) return value;
  table.refuse(k_value, key, "must be above 0 and at most 1000: it counts standard deviations",
               fmt::format("write {} = {}", key, fallback));
  return fallback;
}

}  // namespace

void read_protocol(StudyTable& table, EpsilonNano epsilon, Study& study) {
  RegressionTerms terms;
  const std::string kind =
      table.word("kind", {"auto", "cascade", "boost", "two-round", "multi-round", "sparse-mean", "ldp-iht", "label-iht", "label-lasso",
                  "federated-ht"}, false);
  terms.epsilon = epsilon;
  terms.features = read_features(table, study);
  terms.samples = study.terms.samples;
  terms.unit_q15 = study.terms.unit_q15;
  terms.minimum = study.terms.minimum;
  terms.devices = table.whole("devices", 1, k_devices_max, k_value, "how many devices are expected to answer");
  if (terms.features > k_features_max)
    table.refuse("study.bad_dimension", table.has("names") ? "names" : "features",
                 fmt::format("counts more than the {} features that a manifest can hold", k_features_max),
                 "ask about groups of features");
  terms.sparsity = std::min(terms.sparsity, std::max(1u, terms.features));
  if (table.has("sparsity"))
    terms.sparsity = table.whole("sparsity", 1, k_model_most, k_value, "how many variables matter at most");
  if (terms.features > 0 && terms.sparsity > terms.features)
    table.refuse(k_value, "sparsity", fmt::format("is above the number of features, {}", terms.features),
                 fmt::format("write at most {}; a few is usual", terms.features));
  terms.noise = positive(table, "noise", terms.noise);
  terms.norm = positive(table, "norm", terms.norm);
  terms.correlated = table.flag("correlated", false);
  terms.signs = table.word("features_are", {"numbers", "signs"}, false) == "signs";
  if (const auto link = parse_link(table.word("link", {"identity", "cosine", "logistic"}, false)))
    terms.link = link.value();
  terms.link_zero = study.terms.target_quantity.offset;
  terms.link_unit = study.terms.target_quantity.scale * terms.unit();
  const std::string source = table.word("source", {"analyst", "truth", "data"}, false);
  terms.source = source == "truth" ? AssumedFrom::truth : source == "data" ? AssumedFrom::data : AssumedFrom::analyst;
  if (table.has("rounds"))
    terms.steps = table.whole("rounds", 1, k_rounds_most, k_value, "cohorts that are asked one after the other");
  terms.paper = table.word("mechanism", {"default", "paper"}, false) == "paper";
  terms.delta = study.delta;
  choose_label_way(table.word("label", {"auto", "one-bit", "window", "laplace", "gaussian"}, false), terms.label);
  terms.target_is_normal = table.word("target_law", {"unknown", "normal"}, false) == "normal";
  if (table.has("target_deviation")) terms.target_deviation = positive(table, "target_deviation", 1);
  study.kind = "protocol";
  if (table.failed()) return;
  choose_protocol(kind, terms);
  if (terms.steps != 0 && terms.protocol != ProtocolKind::ldp_iht && terms.protocol != ProtocolKind::multi_round) {
    table.refuse(k_value, "rounds", fmt::format("is for {} itself to say", protocol_name(terms.protocol)),
                 "leave rounds out, or ask for ldp-iht or multi-round");
    return;
  }
  const Result<ProtocolPlan> plan = plan_protocol(terms);
  if (!plan) {
    table.refuse(plan.error().code, "kind", fmt::format("cannot be planned: {}", plan.error().what), plan.error().fix);
    return;
  }
  if (!plan.value().why.empty()) terms.why_protocol = plan.value().why;
  if (asks_labels(terms.protocol)) study.unit = PrivacyUnit::label;
  study.question = fmt::format("its share of the protocol {}: {}", protocol_name(terms.protocol), terms.why_protocol);
  study.spec = plan.value().first;
  study.terms.weights = plan.value().weights;
  study.regression = std::move(terms);
}

}  // namespace sotto::analyzer
