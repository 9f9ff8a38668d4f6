// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>

#include "sotto/analyzer/protocol/frame/row.hpp"

// Everyday questions whose answer is one of many things: category, crosstab and top.
namespace sotto::analyzer {

/// The shares of a list of categories, or of the cells of a table: one vote of each device.
[[nodiscard]] Result<ProtocolPlan> plan_category(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_category(const RegressionTerms& terms, const Manifest& manifest);
/// The most common ids or strings, of which no list exists: a prefix tree, or a hash and fragments; then a cohort that
/// confirms them.
[[nodiscard]] Result<ProtocolPlan> plan_top(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_top(const RegressionTerms& terms, const Manifest& manifest);
/// The same by the heavy hitters of Ma et al., for comparison: one bit a level, and nothing is confirmed.
[[nodiscard]] Result<ProtocolPlan> plan_paper_tree(RegressionTerms& terms);
[[nodiscard]] std::unique_ptr<Protocol> start_paper_tree(const RegressionTerms& terms, const Manifest& manifest);

extern const ProtocolRow k_category_row, k_crosstab_row, k_top_row;

}  // namespace sotto::analyzer
