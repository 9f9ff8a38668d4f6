// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "boost.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_boost(RegressionTerms& terms) { return plan_steps(terms, boost_schedule(terms)); }

std::unique_ptr<Protocol> start_boost(const RegressionTerms& terms, const ProtocolPlan& plan, const Manifest& manifest,
                                      const PublicDesign*) {
  return std::make_unique<Boost>(terms, std::any_cast<const Schedule&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_boost_row{{.name = "boost",
                                         .family = "rounds",
                                         .compared = Compared::itself,
                                         .takes_tables = true,
                                         .states_found_only = true,
                                         .from_all_rows = true,
                                         .prefers_stated_scales = true},
                                        plan_boost,
                                        start_boost};

}  // namespace sotto::analyzer
