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
/// Formats. Samples Q15. Residual Q24. Square of a column Q30 in uint64. Gradient x'r: exact in Q39, kept as Q(23-coarser_) in
/// int32. Thresholds lambda_j*m in the gradient's format. Coefficients and steps Q24; a step is at most 32.
///
/// Nothing overflows because nothing grows: every step lowers the objective, so ||r|| <= ||y|| <= sqrt(rows) up to rounding (2^-25
/// for each row and step), and by Cauchy and Schwarz x'r over c rows is at most sqrt(c * rows).
class Descent {
 public:
  /// Takes what it needs of `work`; rows that do not fit are left out. Begins at b = 0.
  Descent(const ColumnView& view, std::uint32_t nominal_rows, const std::span<std::byte>& work,
          const std::span<std::int32_t>& beta_q24, std::uint32_t visits) noexcept;

  /// The largest |x'y|: with it as the threshold, b = 0 is the minimum. Before any other step; settles the order of visits.
  [[nodiscard]] std::uint32_t largest_gradient() noexcept;
  /// lambda * m in the gradient's format, saturating.
  [[nodiscard]] std::uint32_t threshold_of(std::uint32_t lambda_q24) const noexcept;
  /// Goes to the minimum at this threshold, times its weight for each column, until no coefficient moves by more than the
  /// tolerance or only `visits_kept` visits are left. `before` is the threshold of the last minimum.
  void minimise(std::uint32_t threshold, std::uint32_t before, std::uint32_t tolerance_q24,
                std::uint32_t visits_kept) noexcept;
  /// Computes the residual anew, without the rounding of all steps so far.
  void refresh() noexcept;

  void set_weight_q15(std::uint32_t column, std::uint32_t weight) noexcept {
    scale_[column] = (scale_[column] & 0xffffu) | weight << 16;
  }

 private:
  struct Pass {
    std::uint32_t longest;  // step, Q24
    std::uint32_t visited, active;
  };

  [[nodiscard]] const Q15* column(std::uint32_t j) const noexcept { return view_.base + view_.column[j]; }
  [[nodiscard]] std::int32_t gradient(std::uint32_t j) const noexcept;
  [[nodiscard]] std::int32_t limit(std::uint32_t j, std::uint32_t threshold) const noexcept;
  [[nodiscard]] std::uint32_t visit(std::uint32_t j, std::uint32_t threshold, std::uint32_t tolerance) noexcept;
  [[nodiscard]] Pass sweep(bool whole, std::uint32_t threshold, std::uint32_t tolerance,
                           std::uint32_t visits_kept) noexcept;
  void move(std::uint32_t j, std::int32_t step) noexcept;
  void rest(std::uint32_t threshold, std::uint32_t tolerance, std::uint32_t visits_kept) noexcept;
  // descent_leap.cpp
  void save() noexcept;
  void leap(std::uint32_t threshold) noexcept;
  [[nodiscard]] std::int32_t leap_length(std::uint32_t threshold, std::uint32_t spread) const noexcept;

  static constexpr std::uint32_t k_in_set = 1u << 8;

  ColumnView view_;
  std::uint32_t nominal_rows_;
  std::uint32_t visits_;
  std::uint32_t columns_;
  std::uint32_t coarser_ = 0;
  std::span<std::int32_t> beta_;      // Q24
  std::span<std::int32_t> residual_;  // Q24
  std::span<std::int32_t> gradient_;  // as of each column's last visit
  std::span<std::int32_t> saved_;     // coefficients some passes ago, then the way since
  std::span<std::uint32_t> inverse_;  // mantissa of the inverse square
  std::span<std::uint32_t> scale_;    // bits 0..7 its shift, bit 8 in the working set, bits 16..31 weight (Q15)
  std::span<std::uint8_t> order_;     // columns by falling |x'y|
};

/// The public facts that lasso() and scad() check before they read a sample.
[[nodiscard]] Status lasso_check(const LassoSpec& spec, const ColumnView& view, std::size_t work_bytes,
                                 std::size_t coefficients) noexcept;
/// The path of lasso(), from b = 0 to lambda; it leaves `visits_kept` visits for what follows.
void lasso_path(const LassoSpec& spec, std::uint32_t visits_kept, Descent& descent) noexcept;

}  // namespace sotto
