// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "once.hpp"

namespace sotto::analyzer {
namespace {

// The delta of Gaussian reports, unless the command says otherwise.
constexpr double k_once_delta = 1e-6;
constexpr OnceWay k_mean_ways[] = {OnceWay::paper, OnceWay::direct};
constexpr OnceWay k_regression_ways[] = {OnceWay::paper, OnceWay::moments};
constexpr OnceWay k_kernel_ways[] = {OnceWay::paper, OnceWay::moments, OnceWay::binned};
constexpr OnceWay k_glm_ways[] = {OnceWay::paper, OnceWay::direct};

template <AskOnce ask_one>
Result<ProtocolPlan> plan_asking(RegressionTerms& terms) {
  return plan_once(terms, ask_one);
}

using MakeOnce = std::unique_ptr<Protocol> (*)(const RegressionTerms&, OnceAsk, const Manifest&);
template <MakeOnce make>
std::unique_ptr<Protocol> start_asking(const RegressionTerms& terms, const ProtocolPlan& plan, const Manifest& manifest,
                                       const PublicDesign*) {
  return make(terms, std::any_cast<const OnceAsk&>(plan.own), manifest);
}

}  // namespace

constinit const ProtocolRow k_mean_once_row{{.name = "sparse-mean-once",
                                             .family = "sparse-mean-once",
                                             .compared = Compared::every_way,
                                             .learned = Learned::mean,
                                             .ways = k_mean_ways,
                                             .delta = k_once_delta},
                                            plan_asking<ask_mean>,
                                            start_asking<mean_once>};

constinit const ProtocolRow k_regression_once_row{{.name = "projected-regression",
                                                   .family = "projected-regression",
                                                   .compared = Compared::every_way,
                                                   .ways = k_regression_ways,
                                                   .delta = k_once_delta},
                                                  plan_asking<ask_regression>,
                                                  start_asking<regression_once>};

constinit const ProtocolRow k_kernel_once_row{{.name = "kernel-ridge",
                                               .family = "kernel-ridge",
                                               .compared = Compared::every_way,
                                               .learned = Learned::function,
                                               .ways = k_kernel_ways,
                                               .features_min = 1,
                                               .delta = k_once_delta},
                                              plan_asking<ask_kernel>,
                                              start_asking<kernel_once>};

constinit const ProtocolRow k_glm_once_row{
    {.name = "smooth-glm",
     .family = "smooth-glm",
     .compared = Compared::every_way,
     .links = k_linear_and_class_targets,
     .ways = k_glm_ways,
     .delta = k_once_delta,
     .link = TargetLink::logistic,
     .direct_assumes =
         "the features of a record are as long as said and point anywhere: where they do not, the answer is wrong"},
    plan_asking<ask_glm>,
    start_asking<glm_once>};

}  // namespace sotto::analyzer
