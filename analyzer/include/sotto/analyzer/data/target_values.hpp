// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Targets of a table that are no plain numbers: classes become 0 and 1, counts their logarithms.

#include <string>

#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/math/target_kind.hpp"

namespace sotto::analyzer {

/// Whether every target is one of 0 and 1, or of -1 and 1.
[[nodiscard]] bool targets_are_classes(const Table& table);

/// Makes classes of any targets: 1 above their mean, else 0. Two classes stay what they are. Returns the mean.
double make_classes_by_mean(Table& table);

/// Makes the targets what `kind` says: the larger of two values 1 and the smaller 0; log(1 + count).
/// Refuses   data.bad_class: there are more than two values; data.bad_count: one is negative or no whole number.
///           `name` is the target's column.
[[nodiscard]] Result<Done> read_targets_as(TargetKind kind, const std::string& name, Table& table);

}  // namespace sotto::analyzer
