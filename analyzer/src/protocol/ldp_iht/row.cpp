// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "ldp_iht.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_by_items(RegressionTerms& terms) { return item_manifest(terms); }

std::unique_ptr<Protocol> start_by_items(const RegressionTerms& terms, const ProtocolPlan& plan,
                                         const Manifest& manifest, const PublicDesign*) {
  return std::make_unique<LdpIht>(terms, std::any_cast<const ItemPlan&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_ldp_iht_row{{.name = "ldp-iht",
                                           .family = "ldp-iht",
                                           .compared = Compared::with_paper,
                                           .links = k_all_targets,
                                           .takes_rounds = true,
                                           .takes_tables = true},
                                          plan_by_items,
                                          start_by_items};

}  // namespace sotto::analyzer
