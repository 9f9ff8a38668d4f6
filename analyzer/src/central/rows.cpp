// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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
  // Four sums, so that an addition does not wait for the previous one.
  const std::span<const std::uint32_t> at = x.places(row);
  double a = 0, b = 0, c = 0, d = 0;
  std::size_t j = 0;
  for (; j + 4 <= v.size(); j += 4) {
    a += w.at[at[j]] * v[j];
    b += w.at[at[j + 1]] * v[j + 1];
    c += w.at[at[j + 2]] * v[j + 2];
    d += w.at[at[j + 3]] * v[j + 3];
  }
  for (; j < v.size(); ++j) sum += w.at[at[j]] * v[j];
  return sum + (a + b) + (c + d);
}

Weights hard_threshold(std::vector<double> v, std::size_t k) {
  // NaN cannot be ordered. It counts as the largest value, so that it is kept and the fit is refused because of it.
  const auto size_of = [](double at) {
    return std::isnan(at) ? std::numeric_limits<double>::infinity() : std::abs(at);
  };
  Weights w;
  if (k >= v.size()) {
    w.support.resize(v.size());
    std::iota(w.support.begin(), w.support.end(), 0u);
  } else if (k > 0) {
    // The k-th largest size: larger entries stay, and of equal ones as many as there is room for.
    std::vector<double> sizes(v.size());
    std::transform(v.begin(), v.end(), sizes.begin(), size_of);
    const auto kth = sizes.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(sizes.begin(), kth, sizes.end(), std::greater<>());
    const double least = *kth;
    auto room =
        k - static_cast<std::size_t>(std::count_if(sizes.begin(), kth, [least](double at) { return at > least; }));
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double size = size_of(v[j]);
      if (size > least || (size == least && room > 0)) {
        room -= size == least;
        w.support.push_back(static_cast<std::uint32_t>(j));
      } else {
        v[j] = 0;
      }
    }
  }
  w.at = std::move(v);
  return w;
}

}  // namespace sotto::analyzer::central
