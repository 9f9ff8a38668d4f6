// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/central/prepare.hpp"

namespace sotto::analyzer::central {

/// The clip of standardised values, in deviations of their column.
inline constexpr double k_standard_clip = 5;

/// Reads a CSV file and, for RowScaling::standard, standardises it with scales that are given, paid for or, without a
/// payment, exact.
/// Refuses   see prepare.
[[nodiscard]] Result<Done> read_dense(PreparedData& data, const DataSettings& settings, const MomentsPayment* payment);

}  // namespace sotto::analyzer::central
