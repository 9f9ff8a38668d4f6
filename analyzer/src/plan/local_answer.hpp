// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "draws.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "stand_ins.hpp"

// What a stand-in would answer, in doubles, before it is randomized: the same formulas as on the device
// (device/src/local, device/src/question), in standard deviations in place of full scales.
namespace sotto::analyzer {

/// A round as stand-ins read it.
struct AskedRound {
  Round round;
  double unit = 0.25;                   ///< one standard deviation, in full scales
  std::vector<std::uint32_t> features;  ///< of the broadcast model
  std::vector<Eigen::Index> place;      ///< of each among the columns of the stand-ins
  Eigen::VectorXd value;                ///< of each, in standard deviations
  bool asks_all = false;                ///< about all features, not only about those of the model

  [[nodiscard]] double parameter(const Parameter& p) const noexcept;  ///< Q24
  /// What one deviation of the answer is worth in full scales.
  [[nodiscard]] double answer_unit() const noexcept;
};
[[nodiscard]] AskedRound asked_round(const Round& round, double unit);
/// Finds the features of the model among the columns of the stand-ins.
void place_model(const StandIns& devices, AskedRound& asked);

/// y - X c.
[[nodiscard]] Eigen::VectorXd left_of(const AskedRound& asked, const LocalRows& rows);

/// The local vector of direction, value and bin, on the coordinates that are made; `others` is set to the squared
/// length of what the answer has on all others, where the round asks about all features.
[[nodiscard]] Eigen::VectorXd local_vector(const StandIns& devices, const AskedRound& asked, const LocalRows& rows,
                                           double& others, Draws& draws);

/// The law of a device's vote, given its rows.
struct LocalVote {
  Eigen::Index strongest = -1;  ///< among the columns that are made; -1: the device has no answer
  double others_win = 0;        ///< the chance that one of the other features is stronger
};
[[nodiscard]] LocalVote local_vote(const StandIns& devices, const AskedRound& asked, const LocalRows& rows);

/// The answer of the recipe `gain`, in units of its bound: -1 to 1.
[[nodiscard]] double local_gain(const AskedRound& asked, const LocalRows& rows);

}  // namespace sotto::analyzer
