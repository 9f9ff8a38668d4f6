// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "number.hpp"

namespace sotto::analyzer {
namespace {

template <std::unique_ptr<Protocol> (*start_it)(const RegressionTerms&, const Manifest&)>
std::unique_ptr<Protocol> start(const RegressionTerms& terms, const ProtocolPlan&, const Manifest& manifest,
                                const PublicDesign*) {
  return start_it(terms, manifest);
}

}  // namespace

constinit const ProtocolRow k_number_row{
    {.name = "number", .family = "everyday", .learned = Learned::mean, .everyday = true, .samples = "1"},
    plan_number,
    start<start_number>};

constinit const ProtocolRow k_count_row{
    {.name = "count", .family = "everyday", .learned = Learned::mean, .everyday = true, .samples = "1"},
    plan_count,
    start<start_count>};

constinit const ProtocolRow k_event_row{
    {.name = "event", .family = "everyday", .learned = Learned::mean, .everyday = true, .samples = "1"},
    plan_event,
    start<start_event>};

}  // namespace sotto::analyzer
