// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "labels.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_by_labels(RegressionTerms& terms) { return label_manifest(terms); }

template <LabelSolver solver>
std::unique_ptr<Protocol> start_labels(const RegressionTerms& terms, const ProtocolPlan& plan, const Manifest& manifest,
                                       const PublicDesign* design) {
  return std::make_unique<Labels>(terms, std::any_cast<const LabelPlan&>(plan.own), manifest, design, solver);
}

}  // namespace

constinit const ProtocolRow k_label_iht_row{{.name = "label-iht",
                                             .family = "labels",
                                             .compared = Compared::every_label,
                                             .links = k_all_targets,
                                             .asks_labels = true,
                                             .samples = "1"},
                                            plan_by_labels,
                                            start_labels<LabelSolver::iht>};

constinit const ProtocolRow k_label_lasso_row{{.name = "label-lasso",
                                               .family = "labels",
                                               .compared = Compared::chosen_label,
                                               .links = k_all_targets,
                                               .asks_labels = true,
                                               .samples = "1"},
                                              plan_by_labels,
                                              start_labels<LabelSolver::lasso>};

}  // namespace sotto::analyzer
