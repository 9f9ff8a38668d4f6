// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Converts targets that are not plain numbers: classes to 0 and 1, counts to their logarithms.

#include <string>

#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/math/target_kind.hpp"

namespace sotto::analyzer {

/// Whether every target is one of 0 and 1, or of -1 and 1.
[[nodiscard]] bool targets_are_classes(const Table& table);

/// Converts any targets to classes: 1 above their mean, else 0. Targets with only two values keep their classes.
/// Returns the mean.
double make_classes_by_mean(Table& table);

/// Converts the targets to this kind. Classes: the larger of the two values becomes 1, the smaller 0. Counts become
/// log(1 + count). Numbers stay unchanged.
/// Refuses   data.bad_class: there are more than two values; data.bad_count: a value is negative or not a whole number.
///           `name` is the target's column.
[[nodiscard]] Result<Done> read_targets_as(TargetKind kind, const std::string& name, Table& table);

}  // namespace sotto::analyzer
