// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Counts reports by outcome. Shared by the estimators whose sums are a histogram.

#include <cstdint>
#include <span>

#include "sotto/analyzer/aggregate/sums.hpp"

namespace sotto::analyzer {

/// Adds 1 to the sum of the report's outcome. Returns false, and counts the report as refused, when there is no such
/// outcome.
bool count_report(Sums& sums, std::uint32_t report) noexcept;
/// The same for many. Returns how many were used.
std::uint64_t count_reports(Sums& sums, std::span<const std::uint32_t> reports);

}  // namespace sotto::analyzer
