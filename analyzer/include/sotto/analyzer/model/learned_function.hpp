// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sotto::analyzer {

/// A feature that a learned function takes: a reading of offset - scale .. offset + scale is -1 .. 1.
struct FunctionInput {
  std::string name, unit;
  double offset = 0, scale = 1;
};

/// A point of the picture of a function of one feature, in the study's units.
struct CurvePoint {
  double x = 0, fit = 0, low = 0, high = 0;  ///< low, high: 95 %, without what smoothing takes off
};

/// A learned function that is not linear: a sum of basis functions of the scaled inputs. Empty inputs: there is none.
struct LearnedFunction {
  /// "cosines": sum of c_j cos(2 pi (phase_j + <frequency_j, x>)). "bumps": sum of c_j exp(-|x - centre_j|^2 / 2 h^2).
  std::string basis;
  std::vector<FunctionInput> inputs;
  std::vector<double> coefficients;  ///< in full scales of the target
  std::vector<double> phase;         ///< of cosines, in turns
  std::vector<double>
      place;  ///< frequencies in turns, or centres: as many as there are inputs, one coefficient after the other
  double bandwidth = 0;  ///< h of bumps
  double target_offset = 0, target_scale = 1;
  std::vector<CurvePoint> curve;  ///< of a function of one feature

  /// Whether its lists fit each other, so that it can be asked; without inputs it is empty, and that is well.
  [[nodiscard]] bool is_whole() const;
  /// The values of the basis functions at scaled inputs.
  [[nodiscard]] std::vector<double> basis_at(std::span<const double> scaled) const;
  /// At readings in the study's units, in those of the target. Readings beyond full scale count as its end.
  [[nodiscard]] double operator()(std::span<const double> readings) const;
};

}  // namespace sotto::analyzer
