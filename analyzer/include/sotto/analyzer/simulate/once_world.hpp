// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Synthetic data for protocols that collect once: a mean, a linear model, a function, or a logistic model.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"

namespace sotto::analyzer {

/// What the devices know. Each holds one record; full scale is 1.
///   mean      x = mu + z: mu has `nonzeros` numbers +-0.5/sqrt(nonzeros), z is uniform on the sphere of radius 0.5
///   linear    x uniform on the unit sphere, y = <x, w> + U[-0.1, 0.1], |w|_1 = 1 on `nonzeros` features, with
///             decreasing size and alternating signs
///   function  x uniform in [0, 1]^d, y = f(x) + U[-0.1, 0.1]; f = 0.8 sin(2 pi x) for one feature,
///             0.8 sin(pi (x_1 + .. + x_d)/(d/2)) for more
///   logistic  x uniform on the unit sphere, y = +1 with probability 1/(1 + e^-<x, theta>), else -1; |theta| = 3.2
enum class OnceTask : std::uint8_t { mean, linear, function, logistic };

struct OnceWorldSpec {
  OnceTask task = OnceTask::linear;
  std::uint64_t devices = 0;
  std::uint32_t features = 1, nonzeros = 2;
  double empty = 0;  ///< share of devices without a record
  std::uint64_t seed = 1;
  bool null = false;  ///< mu, w or theta is 0, whatever the study assumes
};

class OnceWorld final : public FleetData {
 public:
  explicit OnceWorld(const OnceWorldSpec& spec);

  [[nodiscard]] std::uint64_t devices() const noexcept override { return spec_.devices; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return spec_.features; }
  void read(std::uint64_t device, DeviceRows& out) const override;

  [[nodiscard]] const OnceWorldSpec& spec() const noexcept { return spec_; }
  /// What a study would assume to be the norm of the truth.
  [[nodiscard]] double assumed_norm() const noexcept { return assumed_norm_; }
  /// mu, w or theta; empty for a function.
  [[nodiscard]] const std::vector<double>& truth() const noexcept { return truth_; }
  /// f at x in [0, 1]^d.
  [[nodiscard]] double function_at(std::span<const double> x) const;

  /// The error of a model: for a mean the l2 norm of the difference; for a linear or logistic model the excess of its
  /// expected loss, relative to that of the zero model; for a function the root mean square of the difference relative
  /// to that of f.
  [[nodiscard]] double error_of(const Model& model) const;

 private:
  void draw_truth();
  void draw_sphere(Xoshiro& random, double radius, std::vector<double>& out) const;
  [[nodiscard]] double logistic_error(const Model& model) const;
  [[nodiscard]] double function_error(const Model& model) const;

  OnceWorldSpec spec_;
  std::vector<double> truth_;
  double assumed_norm_ = 0;
};

}  // namespace sotto::analyzer
