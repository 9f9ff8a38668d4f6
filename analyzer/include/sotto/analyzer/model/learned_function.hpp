// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A learned nonlinear function: its basis, its coefficients and its evaluation. Kernel ridge regression (protocol
/// kernel-ridge) produces it; `sotto predict` and the pages evaluate it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sotto::analyzer {

/// An input feature: a reading from offset - scale to offset + scale is scaled to -1 .. 1.
struct FunctionInput {
  std::string name, unit;
  double offset = 0, scale = 1;
};

/// A point of the curve of a function of one feature, in the study's units.
struct CurvePoint {
  double x = 0, fit = 0, low = 0, high = 0;  ///< low, high: 95 % band, without the smoothing bias
};

/// A nonlinear function: a sum of basis functions of the scaled inputs. Without inputs there is no function.
struct LearnedFunction {
  /// "cosines": sum of c_j cos(2 pi (phase_j + <frequency_j, x>)). "bumps": sum of c_j exp(-|x - centre_j|^2 / 2 h^2).
  std::string basis;
  std::vector<FunctionInput> inputs;
  std::vector<double> coefficients;  ///< in units of the target's full scale
  std::vector<double> phase;         ///< cosines only, in turns
  /// Frequencies (in turns) or centres, one number for each input, coefficient after coefficient.
  std::vector<double> place;
  double bandwidth = 0;  ///< bumps only: h
  double target_offset = 0, target_scale = 1;
  std::vector<CurvePoint> curve;  ///< for a function of one feature

  /// Whether the sizes of its lists are consistent, so that it can be evaluated; true for an empty function.
  [[nodiscard]] bool is_whole() const;
  /// The values of the basis functions at scaled inputs.
  [[nodiscard]] std::vector<double> basis_at(std::span<const double> scaled) const;
  /// The value at readings in the study's units, in units of the target. Readings beyond full scale are clipped.
  [[nodiscard]] double operator()(std::span<const double> readings) const;
};

}  // namespace sotto::analyzer
