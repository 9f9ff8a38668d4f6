// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sotto::analyzer::central {

/// A matrix by rows, dense or sparse; sparse rows stay sparse whatever is done to them.
class Rows {
 public:
  Rows() = default;
  /// Row after row, `columns` values each.
  static Rows dense(std::vector<float> values, std::size_t columns);
  /// Values of row r: first[r] .. first[r + 1], each with its column, which rise within a row.
  static Rows sparse(std::vector<std::uint64_t> first, std::vector<std::uint32_t> column, std::vector<float> values,
                     std::size_t columns);

  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_sparse() const noexcept { return is_sparse_; }
  /// What the matrix takes in memory.
  [[nodiscard]] std::size_t bytes() const noexcept;

  [[nodiscard]] std::span<const float> values(std::size_t row) const noexcept {
    return std::span(values_).subspan(begin(row), begin(row + 1) - begin(row));
  }
  [[nodiscard]] std::span<float> values(std::size_t row) noexcept {
    return std::span(values_).subspan(begin(row), begin(row + 1) - begin(row));
  }
  /// Of sparse rows.
  [[nodiscard]] std::span<const std::uint32_t> places(std::size_t row) const noexcept {
    return std::span(column_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

  /// Calls use(column, value) for what the row holds.
  template <class Use>
  void visit(std::size_t row, Use use) const {
    const std::span<const float> v = values(row);
    if (!is_sparse_) {
      for (std::size_t j = 0; j < v.size(); ++j) use(static_cast<std::uint32_t>(j), v[j]);
      return;
    }
    const std::span<const std::uint32_t> at = places(row);
    for (std::size_t j = 0; j < v.size(); ++j) use(at[j], v[j]);
  }

  /// Some rows, and of these some columns, which get the numbers 0, 1, ... in this order.
  [[nodiscard]] Rows pick(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) const;

  /// Euclidean norms, in doubles.
  [[nodiscard]] std::vector<double> norms() const;

 private:
  [[nodiscard]] std::size_t begin(std::size_t row) const noexcept { return is_sparse_ ? first_[row] : row * columns_; }

  bool is_sparse_ = false;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::uint64_t> first_;   ///< sparse only
  std::vector<std::uint32_t> column_;  ///< sparse only
  std::vector<float> values_;
};

/// Coefficients, most of them zero.
struct Weights {
  std::vector<double> at;              ///< one for each column
  std::vector<std::uint32_t> support;  ///< where they may differ from zero

  explicit Weights(std::size_t columns = 0) : at(columns, 0.0) {}
};

/// The inner product of a row with coefficients.
[[nodiscard]] double dot(const Rows& x, std::size_t row, const Weights& w);

/// Keeps the k largest of v, of equal ones those with smaller numbers, and sets the rest to zero.
[[nodiscard]] Weights hard_threshold(std::vector<double> v, std::size_t k);

}  // namespace sotto::analyzer::central
