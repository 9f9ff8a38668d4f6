// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/held_out_gain.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

constexpr double k_unit_of_once = 32768, k_unit_of_rounds = 8192;  // one unit of a model, in Q15
constexpr double k_clip = 4, k_hardly_varies = 1e-6;

/// One column of a device, centred; in its own units also scaled and clipped. Zeros where it is constant.
Eigen::VectorXd own_column(const DeviceRows& rows, std::uint32_t features, std::uint32_t column, RowUnits units) {
  Eigen::VectorXd out(rows.rows);
  const auto reading = [&](std::uint32_t i) { return rows.numbers[std::size_t{i} * (features + 1) + column]; };
  const auto is_held = [&](std::uint32_t i) { return units != RowUnits::own || reading(i) != k_missing_reading; };
  double sum = 0, held = 0;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    sum += is_held(i) ? reading(i) : 0;
    held += is_held(i) ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < rows.rows; ++i) out[i] = is_held(i) ? reading(i) - sum / held : 0;
  if (units != RowUnits::own) return out / k_unit_of_rounds;
  const double deviation = std::sqrt(out.squaredNorm() / std::max(1.0, held));
  if (deviation == 0) return out;
  return (out / deviation).cwiseMin(k_clip).cwiseMax(-k_clip);
}

double class_gain(const Eigen::VectorXd& y, const Eigen::VectorXd& fit, bool log_odds) {
  const double low = y.minCoeff(), high = y.maxCoeff(), middle = (low + high) / 2;
  if (low >= high) return 0;
  const double threshold = log_odds ? middle * (high - low) : middle;
  const auto upper = static_cast<double>((y.array() > middle).count()), n = static_cast<double>(y.size());
  const auto right = static_cast<double>(((y.array() > middle) == (fit.array() > threshold)).count());
  return (right - std::max(upper, n - upper)) / n;
}

/// Targets and fits of all rows of devices, as they are stated.
struct AllRows {
  std::vector<double> target, fit;
};

AllRows rows_of(const FleetData& data, std::uint64_t first, std::uint64_t count, const Model& model) {
  AllRows out;
  DeviceRows rows;
  for (std::uint64_t device = first; device < first + count; ++device) {
    data.read(device, rows);
    for (std::uint32_t i = 0; i < rows.rows; ++i) {
      const Q15* const row = rows.numbers.data() + std::size_t{i} * (data.features() + 1);
      double fit = 0;
      for (const Coefficient& c : model.coefficients) fit += c.estimate * row[c.feature];
      out.target.push_back(row[data.features()]);
      out.fit.push_back(fit);
    }
  }
  return out;
}

double gain_over_all(const AllRows& rows, bool classes) {
  const auto n = static_cast<double>(rows.target.size());
  if (classes) {
    double upper = 0, right = 0;
    for (std::size_t i = 0; i < rows.target.size(); ++i) {
      upper += rows.target[i] > 0;
      right += (rows.target[i] > 0) == (rows.fit[i] > 0);
    }
    return (right - std::max(upper, n - upper)) / n;
  }
  const Eigen::Map<const Eigen::ArrayXd> y(rows.target.data(), static_cast<Eigen::Index>(rows.target.size())),
      f(rows.fit.data(), y.size());
  const double before = (y - y.mean()).square().sum(), after = (y - y.mean() - f + f.mean()).square().sum();
  return (before - after) / (before + after);
}

/// |mu|^2 - |mu - c|^2 over |c|^2, for a model c in units of the readings.
double gain_over_zero(const AllRows& rows, const Model& model, double unit) {
  double square = 0, sum = 0;
  for (const Coefficient& c : model.coefficients) square += c.estimate * c.estimate;
  for (const double f : rows.fit) sum += f / unit;
  return 2 * sum / static_cast<double>(rows.fit.size()) / square - 1;
}

}  // namespace

double device_gain(const DeviceRows& rows, std::uint32_t features, const Model& model, RowUnits units) {
  if (rows.rows == 0) return 0;
  const Eigen::VectorXd all = own_column(rows, features, features, units);
  if (all.squaredNorm() == 0) return 0;
  Eigen::VectorXd fits = Eigen::VectorXd::Zero(all.size());
  for (const Coefficient& c : model.coefficients) fits += c.estimate * own_column(rows, features, c.feature, units);
  // A row whose target is missing does not count.
  std::vector<Eigen::Index> counted;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    const Q15 target = rows.numbers[std::size_t{i} * (features + 1) + features];
    if (units != RowUnits::own || target != k_missing_reading) counted.push_back(i);
  }
  const Eigen::VectorXd y = all(counted), fit = fits(counted);
  if (model.validation.classes) return class_gain(y, fit, model.link == "logistic");
  const double before = y.squaredNorm(), after = (y - fit).squaredNorm();
  return (before - after) / (before + after);
}

double mean_gain(const FleetData& data, std::uint64_t first, std::uint64_t count, const Model& model, RowUnits units) {
  if (model.validation.against != Against::device) {
    const AllRows all = rows_of(data, first, count, model);
    if (all.target.empty()) return 0;
    if (model.validation.against == Against::all) return gain_over_all(all, model.validation.classes);
    return gain_over_zero(all, model, is_collected_once(model) ? k_unit_of_once : k_unit_of_rounds);
  }
  DeviceRows rows;
  double sum = 0;
  for (std::uint64_t device = first; device < first + count; ++device) {
    data.read(device, rows);
    sum += device_gain(rows, data.features(), model, units);
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double larger_class_error(const FleetData& data, std::uint64_t first, std::uint64_t count) {
  DeviceRows rows;
  double sum = 0;
  for (std::uint64_t device = first; device < first + count; ++device) {
    data.read(device, rows);
    double upper = 0;
    for (std::uint32_t i = 0; i < rows.rows; ++i)
      upper += rows.numbers[std::size_t{i} * (data.features() + 1) + data.features()] > 0;
    if (rows.rows > 0) sum += std::min(upper, rows.rows - upper) / rows.rows;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

FileUnits FileUnits::of(const StandardRows& rows) {
  const Eigen::Index features = rows.x.cols();
  Eigen::VectorXd across = Eigen::VectorXd::Zero(features), square = across;
  const auto deviation = [](const auto& column) { return std::sqrt((column.array() - column.mean()).square().mean()); };
  for (std::size_t u = 0; u < rows.users(); ++u) {
    const auto first = static_cast<Eigen::Index>(rows.first_row[u]);
    const auto count = static_cast<Eigen::Index>(rows.first_row[u + 1]) - first;
    if (count == 0) continue;
    const double of_target = deviation(rows.y.segment(first, count));
    if (of_target < k_hardly_varies) continue;
    for (Eigen::Index j = 0; j < features; ++j) {
      const double of_feature = deviation(rows.x.col(j).segment(first, count));
      if (of_feature < k_hardly_varies) continue;
      across[j] += static_cast<double>(count) * of_feature * of_target;
      square[j] += static_cast<double>(count) * of_feature * of_feature;
    }
  }
  FileUnits out;
  for (Eigen::Index j = 0; j < features; ++j) out.factor.push_back(square[j] > 0 ? across[j] / square[j] : 0);
  return out;
}

Model FileUnits::convert(Model model) const {
  for (Coefficient& c : model.coefficients) {
    for (double* number : {&c.estimate, &c.last_cohort, &c.low, &c.high, &c.standard_error})
      *number *= factor[c.feature];
  }
  return model;
}

}  // namespace sotto::analyzer
