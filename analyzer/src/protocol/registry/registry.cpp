// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/registry/registry.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "../between/between.hpp"
#include "../boost/boost.hpp"
#include "../cascade/cascade.hpp"
#include "../ldp_iht/ldp_iht.hpp"
#include "../validation/validated.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {
namespace {

// Local least squares on the last candidates needs eight rows for each candidate if features are correlated.
constexpr double k_rows_per_variable = 8;

void choose_automatically(RegressionTerms& terms) {
  if (terms.samples == 1 || terms.link == TargetLink::cosine) {
    terms.protocol = &k_ldp_iht_row.facts;
    terms.why_protocol = terms.samples == 1 ? "a device answers from one row, which no local fit can be made from"
                                            : "the target follows a link, which only gradients take into account";
    return;
  }
  // Least squares on classes 0 and 1 measures as well as logistic steps where these learn anything, and learns from far
  // fewer reports: votes choose the variables first (docs/PROTOCOLS.md has the numbers).
  terms.link = TargetLink::identity;
  const double rows = k_rows_per_variable * std::ceil(k_final_per_variable * terms.sparsity);
  if (terms.correlated && terms.samples < rows) {
    terms.protocol = &k_boost_row.facts;
    terms.why_protocol = fmt::format(
        "features are correlated, and {} rows of a device are too few for stable local least squares (about {:.0f} for "
        "{} "
        "variables)",
        terms.samples, rows, terms.sparsity);
    return;
  }
  terms.protocol = &k_cascade_row.facts;
  terms.why_protocol =
      terms.correlated
          ? fmt::format("{} rows of a device are enough for local least squares, correlated as the features are",
                        terms.samples)
          : "features are not declared correlated, so local least squares is stable";
}

/// Local least squares, scores and votes all assume a target that is linear in the features.
Result<Done> check_link(const RegressionTerms& terms) {
  if (terms.protocol->takes(terms.link)) return Done{};
  const std::string any =
      protocol_names([](const ProtocolFacts& f) { return f.takes(TargetLink::cosine); }, ", ", " or ");
  const std::string classes = protocol_names(
      [](const ProtocolFacts& f) { return f.takes(TargetLink::logistic) && !f.takes(TargetLink::cosine); }, ", ",
      " or ");
  return Error{
      "protocol.no_link", fmt::format("{} learns linear targets only", terms.protocol->name),
      std::string(link_name(terms.link)),
      fmt::format("leave the link out, for a class with target.kind = \"class\", or ask for {}; for a class, {}", any,
                  classes)};
}

/// Null for terms without a chosen protocol.
const ProtocolRow* row_of(const RegressionTerms& terms) {
  for (const ProtocolRow* row : protocol_rows()) {
    if (&row->facts == terms.protocol) return row;
  }
  return nullptr;
}

Error no_protocol() {
  return {"protocol.none", "no protocol was chosen", "", "choose one: choose_protocol(\"auto\", terms)"};
}

}  // namespace

std::span<const ProtocolFacts* const> protocol_facts() {
  static const std::vector<const ProtocolFacts*> k_facts = [] {
    std::vector<const ProtocolFacts*> facts;
    for (const ProtocolRow* row : protocol_rows()) facts.push_back(&row->facts);
    return facts;
  }();
  return k_facts;
}

bool choose_protocol(std::string_view word, RegressionTerms& terms) {
  if (const ProtocolFacts* const facts = find_protocol(word); facts != nullptr) {
    terms.protocol = facts;
    terms.why_protocol = "the study asks for it";
    return true;
  }
  if (word != "auto") return false;
  choose_automatically(terms);
  return true;
}

Result<ProtocolPlan> plan_protocol(RegressionTerms& terms) {
  const ProtocolRow* const row = row_of(terms);
  if (row == nullptr) return no_protocol();
  if (const auto checked = check_link(terms); !checked) return checked.error();
  reserve_between(terms);
  reserve_validators(terms);
  Result<ProtocolPlan> plan = row->plan(terms);
  if (!plan) return plan;
  if (const auto added = add_validation(terms, plan.value()); !added) return added.error();
  if (const auto added = add_between(terms, plan.value()); !added) return added.error();
  return plan;
}

Result<std::unique_ptr<Protocol>> start_protocol(const Study& study, const Manifest& manifest,
                                                 const PublicDesign* design) {
  const ProtocolRow* const row = study.regression && study.plan ? row_of(*study.regression) : nullptr;
  if (row == nullptr) return no_protocol();
  const RegressionTerms& terms = *study.regression;
  if (terms.everyday) return row->start(terms, *study.plan, manifest, design);  // its intervals are its own measure
  // Behind the protocol's own cohorts come those that validate, and then those of the stage between devices.
  const std::size_t between = manifest.cohorts - study.plan->between_cohorts;
  std::unique_ptr<Protocol> learns = validated(row->start(terms, *study.plan, manifest, design), terms, manifest,
                                               between - study.plan->validation_cohorts);
  if (!terms.between) return learns;
  return with_between(std::move(learns), terms, manifest, between);
}

}  // namespace sotto::analyzer
