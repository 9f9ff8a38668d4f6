// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The gradient of a generalised linear model on the rows of one device, at a broadcast model.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/column.hpp"
#include "sotto/local/link.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

/// A broadcast model: the coefficients of some features (at most 16384), Q24; the others are zero. Public.
struct SparseModel {
  std::span<const std::uint16_t> feature;
  std::span<const std::int32_t> value_q24;
};

/// The study's parameters of a gradient, all public.
struct GradientSpec {
  Link link;
  std::uint32_t nominal_rows = 1;    ///< m of the mean, 1..k_rows_max
  std::int32_t bound_q24 = 1 << 24;  ///< each row's residual is clipped to [-bound, bound]; above 0, at most 64
};

/// The work space of gradient(): a residual for each row, and a column where it cannot be read in place.
[[nodiscard]] constexpr std::size_t gradient_work_bytes(RowUnits units, bool mapped, std::uint32_t rows) noexcept {
  return k_workspace_slack + rows * sizeof(std::int32_t) + buffered_rows(units, mapped, rows) * sizeof(Q15);
}

/// The average gradient (1/m) sum_i rho_i x_i of all rows at the model, rho_i = link_residual_q24() of row i, as Q24:
/// on the chosen features, or on all of them when none is chosen. Columns are read one after the other; if the rows
/// come from a hook, each number is read by a separate call. With every |x_i| <= r the result has norm at most
/// bound * r, up to rounding.
///
/// Where the device centres its rows, features and target are in its units, and a class is 1 where its reading is above
/// 0.
///
/// Accuracy  B*2^-18 against exact arithmetic, B the bound rounded up to a power of two, plus the error of rho: 2^-24
///           and the link's own.
/// Cost     100 rows, 64 features, a model of 8, identity: 79 k instructions on Cortex-M4, 178 k on Cortex-M0; the
///          logistic adds 250 and 620 a row, a table 260 and 680.
/// Takes    at most nominal_rows rows; a model with as many values as features and features that exist, as `chosen`; a
///          link that link_check() accepts; bound and nominal_rows in their ranges; `work` of gradient_work_bytes() or
///          more; an out_q24 of the size of `chosen` (or of the features).
void gradient(const GradientSpec& spec, const Samples& samples, const SparseModel& at,
              const std::span<const std::uint16_t>& chosen, const std::span<std::byte>& work,
              const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto
