// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sotto/analyzer/data/table.hpp"
#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// What is done to a feature before it is centred. log: sign(x) log(1 + |x|), for heavy tails.
enum class Transform : std::uint8_t { none, log };

/// One column's place and width.
struct Scale {
  double offset = 0;
  double deviation = 1;  ///< > 0
};

/// How many deviations are kept on either side.
struct Clip {
  double features = 5;
  double target = 5;
};
inline constexpr double k_no_clip = std::numeric_limits<double>::infinity();

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Standardised rows of some users, in doubles.
struct StandardRows {
  RowMatrix x;
  Eigen::VectorXd y;
  std::vector<std::uint64_t> first_row;  ///< rows of the i-th user: first_row[i] .. first_row[i + 1]

  [[nodiscard]] std::size_t users() const noexcept { return first_row.size() - 1; }
};

/// Public numbers that every device of a study uses. A study states them; for a file they are computed from the data and must be
/// declared as assumed public.
struct Scaling {
  std::vector<Scale> features;
  Scale target;
  Transform transform = Transform::none;  ///< of the features; the target stays as it is

  /// (value - offset) / deviation of the rows of some users, clipped.
  [[nodiscard]] StandardRows apply(const Table& table, std::span<const std::uint32_t> users, Clip clip = {}) const;
};

/// Mean and standard deviation (divided by n) of the columns over the rows of some users, after the transform. A column that
/// hardly varies (deviation under 1e-9) gets deviation 1.
[[nodiscard]] Scaling measure_scaling(const Table& table, std::span<const std::uint32_t> users,
                                      Transform transform = Transform::none);

/// What a device holds of a value: unit_q15 a deviation, rounded to nearest, within -32767 .. 32767.
[[nodiscard]] Q15 standard_q15(double value, const Scale& scale, std::uint32_t unit_q15) noexcept;

/// The transform of one feature.
[[nodiscard]] double transformed(double value, Transform transform) noexcept;

}  // namespace sotto::analyzer
