// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/registry/registry.hpp"

#include <cmath>

#include <fmt/format.h>

#include "../boost/boost.hpp"
#include "../cascade/cascade.hpp"
#include "../federated/federated.hpp"
#include "../frame/plan_parts.hpp"
#include "../labels/labels.hpp"
#include "../ldp_iht/ldp_iht.hpp"
#include "../ldp_iht/plan.hpp"
#include "../multi_round/multi_round.hpp"
#include "../once/once.hpp"
#include "../two_round/two_round.hpp"

namespace sotto::analyzer {
namespace {

Result<Schedule> schedule_of(const RegressionTerms& terms) {
  return terms.protocol == ProtocolKind::boost ? boost_schedule(terms) : cascade_schedule(terms);
}

// Local least squares on the last candidates wants eight rows for each, where they go along with each other.
constexpr double k_rows_per_variable = 8;

void choose_automatically(RegressionTerms& terms) {
  if (terms.samples == 1 || terms.link != TargetLink::identity) {
    terms.protocol = ProtocolKind::ldp_iht;
    terms.why_protocol = terms.samples == 1 ? "a device answers from one row, which no local fit can be made from"
                                            : "the target follows a link, which only gradients take into account";
    return;
  }
  const double rows = k_rows_per_variable * std::ceil(k_final_per_variable * terms.sparsity);
  if (terms.correlated && terms.samples < rows) {
    terms.protocol = ProtocolKind::boost;
    terms.why_protocol = fmt::format(
        "features are correlated, and {} rows of a device are too few for stable local least squares (about {:.0f} for "
        "{} "
        "variables)",
        terms.samples, rows, terms.sparsity);
    return;
  }
  terms.protocol = ProtocolKind::cascade;
  terms.why_protocol =
      terms.correlated
          ? fmt::format("{} rows of a device are enough for local least squares, correlated as the features are",
                        terms.samples)
          : "features are not declared correlated, so local least squares is stable";
}

/// Local least squares, scores and votes all take the target to be linear in the features.
Result<Done> check_link(const RegressionTerms& terms) {
  const bool is_class = terms.link == TargetLink::logistic;
  if (terms.link == TargetLink::identity || terms.protocol == ProtocolKind::ldp_iht || asks_labels(terms.protocol))
    return Done{};
  if (is_class && (terms.protocol == ProtocolKind::federated_ht || terms.protocol == ProtocolKind::smooth_glm))
    return Done{};
  return Error{"protocol.no_link", fmt::format("{} learns linear targets only", protocol_name(terms.protocol)),
               std::string(link_name(terms.link)),
               "leave the link out, or ask for ldp-iht or label-iht; for a class, federated-ht or smooth-glm"};
}

}  // namespace

bool choose_protocol(std::string_view word, RegressionTerms& terms) {
  for (const ProtocolKind kind :
       {ProtocolKind::cascade, ProtocolKind::boost, ProtocolKind::two_round, ProtocolKind::multi_round,
        ProtocolKind::sparse_mean, ProtocolKind::ldp_iht, ProtocolKind::label_iht, ProtocolKind::label_lasso,
        ProtocolKind::federated_ht, ProtocolKind::sparse_mean_once, ProtocolKind::projected_regression,
        ProtocolKind::kernel_ridge, ProtocolKind::smooth_glm}) {
    if (word != protocol_name(kind)) continue;
    terms.protocol = kind;
    terms.why_protocol = "the study asks for it";
    return true;
  }
  if (word != "auto") return false;
  choose_automatically(terms);
  return true;
}

Result<ProtocolPlan> plan_protocol(const RegressionTerms& terms) {
  if (const auto checked = check_link(terms); !checked) return checked.error();
  if (terms.protocol == ProtocolKind::ldp_iht) return item_manifest(terms);
  if (asks_labels(terms.protocol)) return label_manifest(terms);
  if (terms.protocol == ProtocolKind::federated_ht) return federated_manifest(terms);
  if (terms.once) return once_manifest(terms);
  if (terms.protocol == ProtocolKind::two_round) return two_round_manifest(terms);
  if (terms.protocol == ProtocolKind::multi_round) return multi_round_manifest(terms);
  const Result<Schedule> schedule = schedule_of(terms);
  if (!schedule) return schedule.error();
  const bool means = terms.protocol == ProtocolKind::sparse_mean;
  Result<RoundDraft> first =
      schedule.value().votes ? draft_vote(terms, means, {}, 1, 0) : draft_scores(terms, {}, 1, 0);
  if (!first) return first.error();
  return ProtocolPlan{cohort_weights(schedule.value()), question_bits({QuestionKind::vote, QuestionKind::direction}),
                      first.value().spec};
}

Result<ProtocolPlan> settle_protocol(RegressionTerms& terms) {
  if (terms.once) {
    if (const auto settled = settle_way(terms); !settled) return settled.error();
  }
  return plan_protocol(terms);
}

Result<std::unique_ptr<Protocol>> start_protocol(const RegressionTerms& terms, const Manifest& manifest,
                                                 const PublicDesign* design) {
  if (terms.once) return start_once(terms, manifest);
  if (asks_labels(terms.protocol)) {
    Result<LabelPlan> plan = plan_labels(terms);
    if (!plan) return plan.error();
    return std::unique_ptr<Protocol>(std::make_unique<Labels>(terms, std::move(plan).value(), manifest, design));
  }
  if (terms.protocol == ProtocolKind::federated_ht) {
    Result<FederatedPlan> plan = plan_federated(terms);
    if (!plan) return plan.error();
    return std::unique_ptr<Protocol>(std::make_unique<Federated>(terms, std::move(plan).value(), manifest));
  }
  if (terms.protocol == ProtocolKind::two_round) {
    Result<TwoRoundPlan> plan = plan_two_round(terms);
    if (!plan) return plan.error();
    return std::unique_ptr<Protocol>(std::make_unique<TwoRound>(terms, std::move(plan).value(), manifest));
  }
  if (terms.protocol == ProtocolKind::multi_round) {
    Result<MultiRoundPlan> plan = plan_multi_round(terms);
    if (!plan) return plan.error();
    return std::unique_ptr<Protocol>(std::make_unique<MultiRound>(terms, std::move(plan).value(), manifest));
  }
  if (terms.protocol == ProtocolKind::ldp_iht) {
    Result<ItemPlan> plan = plan_item(terms);
    if (!plan) return plan.error();
    return std::unique_ptr<Protocol>(std::make_unique<LdpIht>(terms, std::move(plan).value(), manifest));
  }
  const Result<Schedule> schedule = schedule_of(terms);
  if (!schedule) return schedule.error();
  if (terms.protocol == ProtocolKind::boost)
    return std::unique_ptr<Protocol>(std::make_unique<Boost>(terms, schedule.value(), manifest));
  return std::unique_ptr<Protocol>(std::make_unique<Cascade>(terms, schedule.value(), manifest));
}

}  // namespace sotto::analyzer
