// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Standardises the columns of a table: offset, standard deviation, optional log transform, clipping. Simulations,
/// baselines and `sotto fit` scale rows as devices do.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sotto/analyzer/data/table.hpp"
#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// Transform of a feature before centring. log: sign(x) log(1 + |x|), for heavy tails.
enum class Transform : std::uint8_t { none, log };

/// Location and scale of one column.
struct Scale {
  double offset = 0;
  double deviation = 1;  ///< above 0
};

/// Clipping bounds in standard deviations.
struct Clip {
  double features = 5;
  double target = 5;
};
inline constexpr double k_no_clip = std::numeric_limits<double>::infinity();

/// How values beyond the column's usual range (usual_range) enter the measured scales: unchanged, or clipped to the
/// range, so that a few outliers do not determine the scale.
enum class Outliers : std::uint8_t { counted, clipped };

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Standardised rows of some users, in doubles.
struct StandardRows {
  RowMatrix x;
  Eigen::VectorXd y;
  std::vector<std::uint64_t> first_row;  ///< the i-th user has the rows first_row[i] .. first_row[i + 1]

  [[nodiscard]] std::size_t users() const noexcept { return first_row.size() - 1; }
};

/// Scales of all columns, public numbers that every device of a study uses. A study states them; for a file they are
/// computed from the data and must be declared as assumed public.
struct Scaling {
  std::vector<Scale> features;
  Scale target;
  Transform transform = Transform::none;  ///< applied to the features, not to the target

  /// Standardised and clipped rows of some users: (value - offset) / deviation.
  [[nodiscard]] StandardRows apply(const Table& table, std::span<const std::uint32_t> users, Clip clip = {}) const;
};

/// Mean and standard deviation (with divisor n) of the columns over the rows of some users, after the transform.
/// Missing values (NaN) do not count. A nearly constant column (deviation under 1e-9) gets deviation 1.
[[nodiscard]] Scaling measure_scaling(const Table& table, std::span<const std::uint32_t> users,
                                      Transform transform = Transform::none, Outliers outliers = Outliers::counted);

/// The fixed-point value that a device holds: unit_q15 for one standard deviation, rounded to nearest, clipped to
/// -32767 .. 32767.
[[nodiscard]] Q15 standard_q15(double value, const Scale& scale, std::uint32_t unit_q15) noexcept;

/// Applies the transform to one value.
[[nodiscard]] double transformed(double value, Transform transform) noexcept;

}  // namespace sotto::analyzer
