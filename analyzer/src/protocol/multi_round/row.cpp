// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "multi_round.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_in_steps(RegressionTerms& terms) { return multi_round_manifest(terms); }

std::unique_ptr<Protocol> start_in_steps(const RegressionTerms& terms, const ProtocolPlan& plan,
                                         const Manifest& manifest, const PublicDesign*) {
  return std::make_unique<MultiRound>(terms, std::any_cast<const MultiRoundPlan&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_multi_round_row{{.name = "multi-round",
                                               .family = "rounds",
                                               .compared = Compared::with_paper,
                                               .takes_rounds = true,
                                               .takes_tables = true,
                                               .from_all_rows = true},
                                              plan_in_steps,
                                              start_in_steps};

}  // namespace sotto::analyzer
