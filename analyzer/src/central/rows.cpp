// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sotto::analyzer::central {

Rows Rows::dense(std::vector<float> values, std::size_t columns) {
  Rows x;
  x.columns_ = columns;
  x.rows_ = columns == 0 ? 0 : values.size() / columns;
  x.values_ = std::move(values);
  return x;
}

Rows Rows::sparse(std::vector<std::uint64_t> first, std::vector<std::uint32_t> column, std::vector<float> values,
                  std::size_t columns) {
  Rows x;
  x.is_sparse_ = true;
  x.columns_ = columns;
  x.rows_ = first.size() - 1;
  x.first_ = std::move(first);
  x.column_ = std::move(column);
  x.values_ = std::move(values);
  return x;
}

std::size_t Rows::bytes() const noexcept {
  return first_.capacity() * sizeof(std::uint64_t) + column_.capacity() * sizeof(std::uint32_t) +
         values_.capacity() * sizeof(float);
}

Rows Rows::pick(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) const {
  if (!is_sparse_) {
    std::vector<float> values;
    values.reserve(rows.size() * columns.size());
    for (const std::uint32_t row : rows) {
      const std::span<const float> from = this->values(row);
      for (const std::uint32_t column : columns) values.push_back(from[column]);
    }
    return dense(std::move(values), columns.size());
  }
  constexpr std::uint32_t k_dropped = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(columns_, k_dropped);
  for (std::size_t i = 0; i < columns.size(); ++i) number[columns[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> column;
  std::vector<float> values;
  std::vector<std::pair<std::uint32_t, float>> kept;
  for (const std::uint32_t row : rows) {
    kept.clear();
    visit(row, [&](std::uint32_t j, float v) {
      if (number[j] != k_dropped) kept.emplace_back(number[j], v);
    });
    std::sort(kept.begin(), kept.end());
    for (const auto& [at, v] : kept) {
      column.push_back(at);
      values.push_back(v);
    }
    first.push_back(values.size());
  }
  return sparse(std::move(first), std::move(column), std::move(values), columns.size());
}

std::vector<double> Rows::norms() const {
  std::vector<double> all(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    double square = 0;
    for (const float v : values(row)) square += static_cast<double>(v) * v;
    all[row] = std::sqrt(square);
  }
  return all;
}

double dot(const Rows& x, std::size_t row, const Weights& w) {
  const std::span<const float> v = x.values(row);
  double sum = 0;
  if (!x.is_sparse()) {
    for (const std::uint32_t j : w.support) sum += w.at[j] * v[j];
    return sum;
  }
  const std::span<const std::uint32_t> at = x.places(row);
  for (std::size_t j = 0; j < v.size(); ++j) sum += w.at[at[j]] * v[j];
  return sum;
}

Weights hard_threshold(std::vector<double> v, std::size_t k) {
  std::vector<std::uint32_t> order(v.size());
  std::iota(order.begin(), order.end(), 0u);
  if (k < v.size()) {
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(),
                     [&v](std::uint32_t a, std::uint32_t b) {
                       const double left = std::abs(v[a]), right = std::abs(v[b]);
                       return left != right ? left > right : a < b;
                     });
    for (std::size_t i = k; i < order.size(); ++i) v[order[i]] = 0;
    order.resize(k);
    std::sort(order.begin(), order.end());
  }
  Weights w;
  w.at = std::move(v);
  w.support = std::move(order);
  return w;
}

}  // namespace sotto::analyzer::central
