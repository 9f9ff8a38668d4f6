// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "stand_ins.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_correlated_features = 50;  // of Design::correlated
constexpr double k_own_clip = 4;

bool is_correlated(const SyntheticWorld& world) {
  return world.spec().design == Design::correlated && world.spec().task == Task::regression;
}

/// In a unit ball every coordinate depends on all others.
bool needs_all(const SyntheticWorld& world) {
  return world.spec().design == Design::unit_ball && world.spec().task == Task::regression;
}

void centre(Eigen::Ref<Eigen::VectorXd> column, RowUnits units) {
  if (units == RowUnits::stated) return;
  column.array() -= column.mean();
  if (units != RowUnits::own) return;
  const double deviation = std::sqrt(column.squaredNorm() / static_cast<double>(column.size()));
  if (deviation > 0) column = (column / deviation).cwiseMin(k_own_clip).cwiseMax(-k_own_clip);
}

}  // namespace

StandIns::StandIns(const SyntheticWorld& world, std::span<const std::uint32_t> named, std::uint32_t nominal_rows,
                   RowUnits units, std::uint64_t seed)
    : world_(world), nominal_rows_(nominal_rows), units_(units) {
  features_.assign(named.begin(), named.end());
  features_.insert(features_.end(), world.support().begin(), world.support().end());
  if (is_correlated(world)) {
    for (std::uint32_t j = 0; j < std::min(k_correlated_features, world.features()); ++j) features_.push_back(j);
  }
  if (needs_all(world)) {
    features_.resize(world.features());
    std::iota(features_.begin(), features_.end(), 0u);
  }
  std::ranges::sort(features_);
  features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
  SyntheticSpec spec = world.spec();
  spec.seed = seed;
  spec.samples_low = std::min(spec.samples_low, nominal_rows);  // a device answers from no more
  spec.samples_high = std::min(spec.samples_high, nominal_rows);
  if (!needs_all(world)) spec.features = static_cast<std::uint32_t>(features_.size());
  spec.effects.clear();
  for (const std::uint32_t j : features_) spec.effects.push_back(world.truth()[j]);
  narrow_ = std::make_unique<SyntheticWorld>(spec);
}

Eigen::Index StandIns::place_of(std::uint32_t feature) const {
  return std::ranges::lower_bound(features_, feature) - features_.begin();
}

double StandIns::cost() const {
  const SyntheticSpec& spec = world_.spec();
  const double rows = std::min<double>(nominal_rows_, (spec.samples_low + spec.samples_high) / 2.0);
  return rows * static_cast<double>(features_.size() + 1);
}

double StandIns::covariance(std::uint32_t i, std::uint32_t j) const noexcept {
  if (i == j) return 1;
  if (!is_correlated(world_) || i >= k_correlated_features || j >= k_correlated_features) return 0;
  return std::ldexp(1.0, -std::abs(static_cast<int>(i) - static_cast<int>(j)));
}

LocalRows StandIns::read(std::uint64_t device) const {
  DeviceRows held;
  narrow_->read(device, held);
  const auto rows = static_cast<Eigen::Index>(std::min(held.rows, nominal_rows_));
  const auto columns = static_cast<Eigen::Index>(features_.size());
  const Eigen::Map<const Eigen::Matrix<Q15, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> all(held.numbers.data(),
                                                                                                  rows, columns + 1);
  const auto unit = static_cast<double>(world_.spec().unit_q15);
  LocalRows out{all.leftCols(columns).cast<double>() / unit, all.col(columns).cast<double>() / unit};
  if (rows == 0) return out;
  for (Eigen::Index j = 0; j < columns; ++j) centre(out.x.col(j), units_);
  centre(out.y, units_);
  return out;
}

}  // namespace sotto::analyzer
