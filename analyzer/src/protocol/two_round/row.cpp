// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "two_round.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_in_two_rounds(RegressionTerms& terms) { return two_round_manifest(terms); }

std::unique_ptr<Protocol> start_in_two_rounds(const RegressionTerms& terms, const ProtocolPlan& plan,
                                              const Manifest& manifest, const PublicDesign*) {
  return std::make_unique<TwoRound>(terms, std::any_cast<const TwoRoundPlan&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_two_round_row{{.name = "two-round",
                                             .family = "rounds",
                                             .compared = Compared::with_paper,
                                             .takes_tables = true,
                                             .from_all_rows = true},
                                            plan_in_two_rounds,
                                            start_in_two_rounds};

}  // namespace sotto::analyzer
