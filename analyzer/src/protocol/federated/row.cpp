// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "federated.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_federation(RegressionTerms& terms) { return federated_manifest(terms); }

std::unique_ptr<Protocol> start_federation(const RegressionTerms& terms, const ProtocolPlan& plan,
                                           const Manifest& manifest, const PublicDesign*) {
  return std::make_unique<Federated>(terms, std::any_cast<const FederatedPlan&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_federated_row{{.name = "federated-ht",
                                             .family = "rounds",
                                             .links = k_linear_and_class_targets,
                                             .takes_tables = true,
                                             .from_all_rows = true},
                                            plan_federation,
                                            start_federation};

}  // namespace sotto::analyzer
