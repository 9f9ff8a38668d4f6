// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/lasso.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

/// Coordinate descent on ||y - X b||^2 / 2m + sum_j lambda_j |b_j|, shared by lasso() and scad().
///
/// Formats. Samples Q15. Residual Q24. Square of a column Q30 in uint64. Gradient x'r: exact in Q39, kept as
/// Q(23-coarser_) in int32. Thresholds lambda_j*m in the gradient's format. Coefficients and steps Q24; a step is at
/// most 32.
///
/// Nothing overflows because nothing grows: every step lowers the objective, so ||r|| <= ||y|| <= sqrt(rows) up to
/// rounding (2^-25 for each row and step), and by Cauchy and Schwarz x'r over c rows is at most sqrt(c * rows).
class Descent {
 public:
  /// The state of one column, k_lasso_column_bytes in size.
  struct Column {
    std::int32_t beta;         // Q24
    std::int32_t gradient;     // at the last visit
    std::int32_t saved;        // beta some passes ago, then the displacement since
    std::uint32_t inverse;     // mantissa of the inverse square; 0 for a column of zeros, which is never visited
    std::uint16_t weight_q15;  // weight of the threshold
    std::uint8_t shift;        // exponent of the inverse
    std::uint8_t number;       // index in the view; with the flag k_in_set: in the working set
  };
  static_assert(sizeof(Column) == k_lasso_column_bytes);

  /// Takes its memory from `work`. Starts at b = 0, and visits the columns by decreasing |x'y|, equal ones by their
  /// number. The view must outlive it.
  Descent(const ColumnView& view, std::uint32_t nominal_rows, const std::span<std::byte>& work,
          std::uint32_t visits) noexcept;

  /// The largest |x'y|, before any step: at this threshold b = 0 is the minimum.
  [[nodiscard]] std::uint32_t largest_gradient() const noexcept {
    return columns_.first == columns_.last ? 0 : magnitude(columns_.first->gradient);
  }
  /// lambda * m in the gradient's format, saturating.
  [[nodiscard]] std::uint32_t threshold_of(std::uint32_t lambda_q24) const noexcept;
  /// Moves to the minimum at this threshold, times the weight of each column, until no coefficient moves by more than
  /// the tolerance or only `visits_kept` visits are left. `before` is the threshold of the previous minimum.
  void minimise(std::uint32_t threshold, std::uint32_t before, std::uint32_t tolerance_q24,
                std::uint32_t visits_kept) noexcept;
  /// Recomputes the residual, without the accumulated rounding of the steps so far.
  void refresh() noexcept;

  /// All columns. The end is stored, because a span would compute it by a multiplication in every loop.
  struct Columns {
    Column *first = nullptr, *last = nullptr;
    [[nodiscard]] Column* begin() const noexcept { return first; }
    [[nodiscard]] Column* end() const noexcept { return last; }
  };
  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
  /// Writes the coefficients in the order of the view.
  void write(const std::span<std::int32_t>& beta_q24) const noexcept;

 private:
  static constexpr std::uint32_t k_in_set = 1u << 7;
  static_assert(k_lasso_columns_max <= k_in_set);

  [[nodiscard]] std::uint32_t offset(const Column& c) const noexcept { return view_.column[c.number & ~k_in_set]; }
  /// Converts v, which has more fraction bits than Q23 by the second argument, to the gradient's format, saturating.
  [[nodiscard, gnu::noinline]] std::int32_t in_format(std::int64_t v, std::uint32_t bits_more) const noexcept;
  [[nodiscard]] std::int32_t gradient(const Column& c) const noexcept;
  [[nodiscard]] std::int32_t limit(const Column& c) const noexcept;
  [[nodiscard]] bool spent() const noexcept { return visits_ <= visits_kept_; }
  [[nodiscard]] std::uint32_t visit(Column& c) noexcept;
  void move(Column& c, std::int32_t step) noexcept;
  void rest() noexcept;
  // descent_leap.cpp
  void leap() noexcept;
  [[nodiscard]] std::int32_t leap_length(std::uint32_t spread) const noexcept;

  const ColumnView& view_;
  std::uint32_t nominal_rows_;
  std::uint32_t visits_;
  std::uint32_t coarser_ = 0;
  Columns columns_;
  std::int32_t* residual_ = nullptr;                               // Q24, of every row
  std::uint32_t threshold_ = 0, tolerance_ = 0, visits_kept_ = 0;  // of minimise()
};

/// The path of lasso(), from b = 0 to lambda, whose threshold it returns; it leaves `visits_kept` visits for what
/// follows.
std::uint32_t lasso_path(const LassoSpec& spec, std::uint32_t visits_kept, Descent& descent) noexcept;

}  // namespace sotto
