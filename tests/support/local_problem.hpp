// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sotto/local/samples.hpp"

namespace sotto {

inline constexpr double k_q24 = 16777216.0;

/// One device's samples twice: as Q15 for the device library, and the same numbers as doubles for Eigen.
class LocalProblem {
 public:
  LocalProblem(std::uint32_t rows, std::uint32_t features)
      : rows_(rows), features_(features), numbers_(std::max<std::size_t>(1, std::size_t{rows} * (features + 1))) {}

  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t features() const { return features_; }
  [[nodiscard]] Q15& at(std::uint32_t row, std::uint32_t column) {
    return numbers_[std::size_t{row} * (features_ + 1) + column];
  }
  [[nodiscard]] Q15 at(std::uint32_t row, std::uint32_t column) const {
    return numbers_[std::size_t{row} * (features_ + 1) + column];
  }
  void set(std::uint32_t row, std::uint32_t column, double v) {
    at(row, column) = static_cast<Q15>(std::lround(std::clamp(v, -1.0, 32767.0 / 32768) * 32768));
  }
  void set_target(std::uint32_t row, double v) { set(row, features_, v); }

  [[nodiscard]] Samples samples() const { return {rows_, features_, numbers_.data(), features_ + 1, nullptr, nullptr}; }
  /// The same rows through a hook, with nothing mapped.
  [[nodiscard]] Samples hooked() const {
    return {rows_,
            features_,
            nullptr,
            0,
            const_cast<LocalProblem*>(this),
            [](void* self, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
              const auto& problem = *static_cast<const LocalProblem*>(self);
              for (std::uint32_t j = 0; j < count; ++j) out[j] = problem.at(row, first + j);
              return true;
            }};
  }
  /// All features; `columns` must outlive the view.
  [[nodiscard]] ColumnView view(std::vector<std::uint16_t>& columns) const {
    columns.resize(features_);
    for (std::uint32_t j = 0; j < features_; ++j) columns[j] = static_cast<std::uint16_t>(j);
    return {numbers_.data(), features_ + 1, rows_, columns, numbers_.data() + features_};
  }

  [[nodiscard]] Eigen::MatrixXd x() const {
    Eigen::MatrixXd m(rows_, features_);
    for (std::uint32_t i = 0; i < rows_; ++i) {
      for (std::uint32_t j = 0; j < features_; ++j) m(i, j) = at(i, j) / 32768.0;
    }
    return m;
  }
  [[nodiscard]] Eigen::VectorXd y() const {
    Eigen::VectorXd v(rows_);
    for (std::uint32_t i = 0; i < rows_; ++i) v[i] = at(i, features_) / 32768.0;
    return v;
  }

 private:
  std::uint32_t rows_, features_;
  std::vector<Q15> numbers_;
};

inline Eigen::VectorXd from_q24(std::span<const std::int32_t> v) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(v.size()));
  for (std::size_t j = 0; j < v.size(); ++j) out[static_cast<Eigen::Index>(j)] = v[j] / k_q24;
  return out;
}

/// Bell-shaped features of standard deviation 1/4, the target a sum of the first eight and noise.
inline LocalProblem bell_problem(std::uint32_t rows, std::uint32_t features, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  LocalProblem problem{rows, features};
  for (std::uint32_t i = 0; i < rows; ++i) {
    double target = 0.2 * bell(random);
    for (std::uint32_t j = 0; j < features; ++j) {
      const double v = 0.25 * bell(random);
      problem.set(i, j, v);
      if (j < 8) target += j % 2 == 0 ? 0.3 * v : -0.3 * v;
    }
    problem.set_target(i, target);
  }
  return problem;
}

/// What nobody would call data: ends of the range, columns that repeat, hardly differ, are constant, zero or tiny.
inline LocalProblem wild_problem(std::uint32_t rows, std::uint32_t features, std::mt19937_64& random) {
  LocalProblem problem{rows, features};
  const auto kind = random() % 7;
  for (std::uint32_t i = 0; i < rows; ++i) {
    const int end = random() % 2 == 0 ? 32767 : -32768;
    for (std::uint32_t j = 0; j <= features; ++j) {
      const auto any = static_cast<int>(random() % 65536) - 32768;
      int v = any;
      if (kind == 0) v = end;
      if (kind == 1) v = random() % 50 == 0 ? -1 - end : end;
      if (kind == 2) v = end > 0 ? end - static_cast<int>(random() % 3) : end + static_cast<int>(random() % 3);
      if (kind == 3) v = j % 2 == 0 ? any : problem.at(i, j - 1) >> 7;
      if (kind == 4) v = j % 2 == 0 ? any : static_cast<int>(random() % 3) - 1;
      if (kind == 5) v = j % 3 == 0 ? 12345 : j % 3 == 1 ? 0 : any;
      problem.at(i, j) = static_cast<Q15>(v);
    }
  }
  return problem;
}

/// At most the study's nominal number of rows, the first ones: what questions hand on.
inline Samples first_rows(Samples samples, std::uint32_t nominal_rows) {
  samples.rows = std::min(samples.rows, nominal_rows);
  return samples;
}

}  // namespace sotto
