// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cascade.hpp"

namespace sotto::analyzer {
namespace {

Result<ProtocolPlan> plan_cascade(RegressionTerms& terms) { return plan_steps(terms, cascade_schedule(terms)); }

std::unique_ptr<Protocol> start_cascade(const RegressionTerms& terms, const ProtocolPlan& plan,
                                        const Manifest& manifest, const PublicDesign*) {
  return std::make_unique<Cascade>(terms, std::any_cast<const Schedule&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_cascade_row{
    {.name = "cascade", .family = "rounds", .compared = Compared::itself, .takes_tables = true, .from_all_rows = true},
    plan_cascade,
    start_cascade};

/// Means in place of coefficients.
constinit const ProtocolRow k_sparse_mean_row{
    {.name = "sparse-mean", .family = "rounds", .learned = Learned::mean, .once_name = "sparse-mean-once"},
    plan_cascade,
    start_cascade};

}  // namespace sotto::analyzer
