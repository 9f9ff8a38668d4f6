// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

// What the rounds of number, count and event ask.
namespace sotto::analyzer {

/// A range of readings, both ends included.
struct Range {
  std::int32_t low = 0, high = 1;
  [[nodiscard]] double width() const noexcept { return static_cast<double>(high) - low; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// The frequency oracle with the least variance for c categories: grr, or local hashing.
/// Refuses  spec.bad_epsilon.
[[nodiscard]] Result<AnySpec> category_spec(EpsilonNano epsilon, std::uint32_t categories);
/// Window with 128 outcomes and the width of the square wave at this epsilon.
/// Refuses  spec.bad_epsilon.
[[nodiscard]] Result<AnySpec> window_spec(EpsilonNano epsilon);

/// n times the variance of the estimated share of a category that no device holds.
[[nodiscard]] double category_variance(EpsilonNano epsilon, std::uint32_t categories);

/// A round of a number protocol: the range that it asks about, or its cut points.
[[nodiscard]] RoundDraft number_draft(const RegressionTerms& terms, const AnySpec& spec, std::uint16_t number,
                                      std::uint8_t cohort, std::vector<NumberPair> pairs);

/// The share of each category with its standard error, which holds the spread of the devices too.
struct Shares {
  std::vector<double> share, error;
  double noise = 0;  ///< standard error of an empty category
  std::uint64_t reports = 0;
};
[[nodiscard]] Shares shares_of(const CategoryCounts& counts);

/// Cohorts with these shares of the devices, in the order of their rounds; all of them ask `number`.
[[nodiscard]] ProtocolPlan number_plan(const std::vector<double>& shares, AnySpec first, std::string why);

/// The share of a study's devices that one of its periods asks, as cohorts; 1 without a schedule.
[[nodiscard]] std::vector<double> period_shares(const EverydayTerms& terms, double of);

inline constexpr double k_two_sided = 1.959963984540054;  // 95 %

}  // namespace sotto::analyzer
