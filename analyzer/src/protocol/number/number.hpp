// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "rounds.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

// Everyday questions whose answer is one integer of a device: number, count and event.
namespace sotto::analyzer {

/// The mean, spread, distribution and quantiles of a number, of whose scale little is known: zoom, check, measure.
[[nodiscard]] Result<ProtocolPlan> plan_number(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_number(const RegressionTerms& terms, const Manifest& manifest);
/// The mean of a count that is 0 on most devices: buckets first, then the clip with the least error.
[[nodiscard]] Result<ProtocolPlan> plan_count(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_count(const RegressionTerms& terms, const Manifest& manifest);
/// The share of devices on which something happened: one-bit randomized response.
[[nodiscard]] Result<ProtocolPlan> plan_event(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_event(const RegressionTerms& terms, const Manifest& manifest);

extern const ProtocolRow k_number_row, k_count_row, k_event_row;

}  // namespace sotto::analyzer
