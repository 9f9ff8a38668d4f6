// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The parameters of a synthetic fleet (signal, noise, design, sizes) and how the command line spells them.

#include <cstdint>
#include <string_view>
#include <vector>

#include "sotto/analyzer/math/target_link.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The nonzero coefficients. equal: all are `value`. uniform: each from U[0, 1], divided by their norm if that is above
/// 1.
struct Signal {
  enum class Kind : std::uint8_t { equal, uniform } kind = Kind::equal;
  double value = 0.2;
};

/// The noise. gaussian: standard deviation `size`. uniform: from [-size, size]. student: t with `size` degrees of
/// freedom, not rescaled.
struct Noise {
  enum class Kind : std::uint8_t { gaussian, uniform, student } kind = Kind::gaussian;
  double size = 1;
};

/// The distribution of the features. independent: N(0, 1). correlated: N(0, 1) with covariance 2^-|i-j| among the first
/// 50 features, the others independent. rademacher: +1 or -1. unit_ball: uniform in the unit ball (each coordinate
/// about 1/sqrt(d)).
enum class Design : std::uint8_t { independent, correlated, rademacher, unit_ball };

/// What is estimated. regression: y = f(<x, beta>) + noise with f the link; a logistic target is +1 or -1 at random,
/// without noise. mean: x = beta + noise in every coordinate, without a target (0) and without a design.
enum class Task : std::uint8_t { regression, mean };

/// The number of rows of a device: uniform from low to high.
struct SampleRange {
  std::uint32_t low = 1, high = 1;
};

/// Columns that are constant on a device, N(0, 1) over devices, and the level that they add to the target there: `nonzeros`
/// of them have an effect, of `effect` standard deviations of all levels and with a random sign, and the rest of the
/// level is normal.
struct SyntheticLevels {
  std::uint32_t columns = 0;  ///< the last ones of the features
  std::uint32_t nonzeros = 0;
  double effect = 0;
  double spread = 0.5;  ///< standard deviation of the devices' levels, in units of the target
};

/// A synthetic fleet.
struct SyntheticSpec {
  std::uint64_t devices = 0;
  std::uint32_t samples_low = 1, samples_high = 1;
  std::uint32_t features = 1;  ///< 1 .. 65535
  std::uint32_t nonzeros = 1;  ///< <= features
  Signal signal = {};
  bool random_signs = false;  ///< negate each coefficient with probability 1/2
  /// The coefficients, one for each feature, in place of a drawn support; empty: they are drawn.
  std::vector<double> effects = {};
  Noise noise = {};
  Design design = Design::independent;
  TargetLink link = TargetLink::identity;
  double empty = 0;  ///< share of the devices that have no rows
  Task task = Task::regression;
  SyntheticLevels levels = {};
  /// What the study states wrongly, for devices that go by it: every offset by so many standard deviations, up or down,
  /// and every scale by this factor or one over it.
  double misstated_offset = 0, misstated_scale = 1;
  std::uint64_t seed = 1;
  /// The Q15 number that stands for 1.0 on a device, 1 .. 32767; numbers beyond 32767 / unit_q15 are clamped.
  std::uint32_t unit_q15 = 8192;
};

/// The words of the command line. Refuses with simulate.bad_signal, simulate.bad_noise, simulate.bad_samples,
/// simulate.bad_design.
[[nodiscard]] Result<Signal> parse_signal(std::string_view word);        ///< "0.2", "uniform"
[[nodiscard]] Result<Noise> parse_noise(std::string_view word);          ///< "1", "uniform:0.5", "student:3"
[[nodiscard]] Result<SampleRange> parse_samples(std::string_view word);  ///< "100", "20:200"
[[nodiscard]] Result<Design> parse_design(
    std::string_view word);  ///< "independent", "correlated", "rademacher", "unit-ball"

/// Refuses   simulate.bad_world: a number outside the ranges above.
[[nodiscard]] Result<Done> check(const SyntheticSpec& spec);

}  // namespace sotto::analyzer
