// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Data matrices of `sotto fit`, dense or sparse, sparse coefficient vectors, and the few operations that all methods
/// need.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sotto::analyzer::central {

/// A row-major matrix, dense or sparse; all operations keep sparse rows sparse.
class Rows {
 public:
  Rows() = default;
  /// A dense matrix: `columns` values for each row, row after row.
  static Rows dense(std::vector<float> values, std::size_t columns);
  /// A sparse matrix in compressed row format: row r holds the values first[r] .. first[r + 1], with rising column
  /// numbers.
  static Rows sparse(std::vector<std::uint64_t> first, std::vector<std::uint32_t> column, std::vector<float> values,
                     std::size_t columns);

  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  [[nodiscard]] bool is_sparse() const noexcept { return is_sparse_; }
  /// Memory of the matrix in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

  [[nodiscard]] std::span<const float> values(std::size_t row) const noexcept {
    return std::span(values_).subspan(begin(row), begin(row + 1) - begin(row));
  }
  [[nodiscard]] std::span<float> values(std::size_t row) noexcept {
    return std::span(values_).subspan(begin(row), begin(row + 1) - begin(row));
  }
  /// The columns of a row's values; sparse matrices only.
  [[nodiscard]] std::span<const std::uint32_t> places(std::size_t row) const noexcept {
    return std::span(column_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

  /// Calls use(column, value) for every stored value of the row.
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

  /// The submatrix of some rows and columns; columns are renumbered 0, 1, ... in the given order.
  [[nodiscard]] Rows pick(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) const;

  /// Euclidean norms of the rows, in doubles.
  [[nodiscard]] std::vector<double> norms() const;

 private:
  [[nodiscard]] std::size_t begin(std::size_t row) const noexcept { return is_sparse_ ? first_[row] : row * columns_; }

  bool is_sparse_ = false;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::uint64_t> first_;   ///< sparse only
  std::vector<std::uint32_t> column_;  ///< sparse only
  std::vector<float> values_;
};

/// Sparse coefficients.
struct Weights {
  std::vector<double> at;              ///< one coefficient for each column
  std::vector<std::uint32_t> support;  ///< the columns whose coefficients may be nonzero

  explicit Weights(std::size_t columns = 0) : at(columns, 0.0) {}
};

/// The inner product of a row with coefficients.
[[nodiscard]] double dot(const Rows& x, std::size_t row, const Weights& w);

/// Hard threshold: keeps the k entries of v that are largest in absolute value, ties going to the smaller index, and
/// sets the rest to zero.
[[nodiscard]] Weights hard_threshold(std::vector<double> v, std::size_t k);

}  // namespace sotto::analyzer::central
