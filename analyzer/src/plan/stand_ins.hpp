// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "sotto/analyzer/simulate/synthetic_world.hpp"
#include "sotto/row_units.hpp"

// Devices that stand for all devices of a synthetic fleet. Only the columns are made that an answer can depend on:
// those that matter, those that a round names, and those that are correlated with others. What the other columns do,
// all alike, follows from a law.
namespace sotto::analyzer {

/// The rows of a device in the units that it computes in; no rows on an empty device.
struct LocalRows {
  Eigen::MatrixXd x;  ///< a column for each feature of StandIns::features()
  Eigen::VectorXd y;
};

class StandIns {
 public:
  /// `named` are the features of the round. The world must outlive this object.
  StandIns(const SyntheticWorld& world, std::span<const std::uint32_t> named, std::uint32_t nominal_rows,
           RowUnits units, std::uint64_t seed);

  /// The features that are made, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& features() const noexcept { return features_; }
  /// The place of a feature among them.
  [[nodiscard]] Eigen::Index place_of(std::uint32_t feature) const;
  /// How many features are not made: independent of everything, and all alike.
  [[nodiscard]] std::uint32_t others() const noexcept {
    return world_.features() - static_cast<std::uint32_t>(features_.size());
  }
  [[nodiscard]] LocalRows read(std::uint64_t device) const;
  /// Numbers that have to be drawn for one device, about.
  [[nodiscard]] double cost() const;

  /// The covariance of two features of the fleet.
  [[nodiscard]] double covariance(std::uint32_t i, std::uint32_t j) const noexcept;
  [[nodiscard]] RowUnits units() const noexcept { return units_; }
  [[nodiscard]] std::uint32_t nominal_rows() const noexcept { return nominal_rows_; }
  [[nodiscard]] const SyntheticWorld& world() const noexcept { return world_; }

 private:
  const SyntheticWorld& world_;
  std::uint32_t nominal_rows_;
  RowUnits units_;
  std::vector<std::uint32_t> features_;
  std::unique_ptr<SyntheticWorld> narrow_;  ///< of these features alone
};

}  // namespace sotto::analyzer
