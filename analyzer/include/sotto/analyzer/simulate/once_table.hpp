// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Rows of a table as records of a protocol that collects once: one record a device.

#include <cstdint>
#include <span>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/simulate/once_world.hpp"
#include "sotto/analyzer/study/once_terms.hpp"

namespace sotto::analyzer {

/// Full scale of devices' records, in deviations. A function is learned within it, so it is no wider than most rows.
[[nodiscard]] double once_full_scale(OnceTask task);

/// The scales that devices use, from measured ones. A mean has no offset, or nothing would be left of it. A class is -1
/// or +1, full scale on either side; the target's offset is where one ends, and the table's targets must be so.
[[nodiscard]] Scaling once_scaling(OnceTask task, Scaling measured);

/// A copy of the table whose target is -1 or +1: above the mean of the training users' targets, or not.
[[nodiscard]] Table with_classes(Table table, double mean);

/// What a study says beforehand of such rows: nine of ten records are no longer than row_norm, nineteen of twenty targets
/// no larger than target_bound. Taken from the rows, in full scales.
void state_rows(OnceTask task, const StandardRows& train, double full_scale, OnceTerms& terms);

/// Mean squared error of a learned function on the rows of some users, over the square of the target's deviation.
[[nodiscard]] double function_mse(const Model& model, const Table& table, std::span<const std::uint32_t> users,
                                  const Scaling& scaling);

/// How far a learned mean is from the mean of some rows, and how far zero is from it, in deviations.
struct MeanErrors {
  double model = 0, zero = 0;
};
[[nodiscard]] MeanErrors mean_errors(const Model& model, const StandardRows& rows, double full_scale);

}  // namespace sotto::analyzer
