// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/standardise.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/data/usual_range.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_hardly_varies = 1e-9;

/// Running mean and variance (Welford), without cancellation where the mean is far from zero.
struct Running {
  double mean = 0, square = 0;

  void add(double v, double count) noexcept {
    const double from_old = v - mean;
    mean += from_old / count;
    square += from_old * (v - mean);
  }
  [[nodiscard]] Scale scale(double count) const noexcept {
    const double deviation = count > 0 ? std::sqrt(square / count) : 0;
    return {.offset = mean, .deviation = deviation < k_hardly_varies ? 1 : deviation};
  }
};

Scale scale_of(const std::vector<double>& values, Outliers outliers) {
  const UsualRange usual = outliers == Outliers::clipped ? usual_range(values) : UsualRange{};
  Running running;
  double count = 0;
  for (const double v : values) running.add(std::clamp(v, usual.low, usual.high), ++count);
  return running.scale(count);
}

}  // namespace

double transformed(double value, Transform transform) noexcept {
  return transform == Transform::log ? std::copysign(std::log1p(std::abs(value)), value) : value;
}

Scaling measure_scaling(const Table& table, std::span<const std::uint32_t> users, Transform transform,
                        Outliers outliers) {
  std::vector<double> values;  // one column at a time, in the same memory
  const auto measure = [&](auto value_at) {
    values.clear();
    for (const std::uint32_t user : users) {
      for (std::size_t r = table.first_row[user]; r < table.first_row[user + 1]; ++r) {
        if (const double v = value_at(r); !std::isnan(v)) values.push_back(v);
      }
    }
    return scale_of(values, outliers);
  };
  Scaling scaling{.features = {}, .target = measure([&](std::size_t r) { return table.y[r]; }), .transform = transform};
  for (std::size_t j = 0; j < table.features.size(); ++j)
    scaling.features.push_back(measure([&](std::size_t r) { return transformed(table.row(r)[j], transform); }));
  return scaling;
}

StandardRows Scaling::apply(const Table& table, std::span<const std::uint32_t> users, Clip clip) const {
  StandardRows rows;
  rows.first_row.push_back(0);
  for (const std::uint32_t user : users) {
    rows.first_row.push_back(rows.first_row.back() + table.first_row[user + 1] - table.first_row[user]);
  }
  const auto count = static_cast<Eigen::Index>(rows.first_row.back());
  rows.x.resize(count, static_cast<Eigen::Index>(features.size()));
  rows.y.resize(count);
  Eigen::Index to = 0;
  for (const std::uint32_t user : users) {
    for (std::size_t r = table.first_row[user]; r < table.first_row[user + 1]; ++r, ++to) {
      const auto row = table.row(r);
      for (std::size_t j = 0; j < row.size(); ++j) {
        const double v = (transformed(row[j], transform) - features[j].offset) / features[j].deviation;
        rows.x(to, static_cast<Eigen::Index>(j)) = std::isnan(v) ? 0 : std::clamp(v, -clip.features, clip.features);
      }
      rows.y[to] = std::clamp((table.y[r] - target.offset) / target.deviation, -clip.target, clip.target);
    }
  }
  return rows;
}

Q15 standard_q15(double value, const Scale& scale, std::uint32_t unit_q15) noexcept {
  constexpr double k_largest = 32767;
  if (std::isnan(value)) return 0;
  const double q = (value - scale.offset) / scale.deviation * unit_q15;
  return static_cast<Q15>(std::lround(std::clamp(q, -k_largest, k_largest)));
}

}  // namespace sotto::analyzer
