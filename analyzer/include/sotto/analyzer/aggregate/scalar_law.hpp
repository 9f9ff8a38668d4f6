// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>

#include "sotto/analyzer/aggregate/window_law.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// How a report of one number is read: z with mean x for an answer x in [-1, 1], and its variance, from the spec's integers.
/// window: analyzer/math/window.md. laplace, gaussian: the report counts grid steps, G of them are 1.
class ScalarLaw {
 public:
  /// Refuses  protocol.not_a_number: a randomizer whose reports are not one number.
  static Result<ScalarLaw> of(const AnySpec& spec);

  [[nodiscard]] double decode(std::uint32_t report) const noexcept;
  /// Var z for the answer x; for additive noise the same everywhere.
  [[nodiscard]] double variance(double x) const noexcept;
  [[nodiscard]] double worst_variance() const noexcept;
  /// P(report = j | x) of a window; nothing for additive noise, whose law is close to a density with this variance.
  [[nodiscard]] std::optional<WindowSpec> window() const noexcept { return window_; }
  [[nodiscard]] bool is_gaussian() const noexcept { return gaussian_; }

 private:
  std::optional<WindowSpec> window_;
  std::uint32_t bits_ = 0;  // of an additive report, two's complement
  double radius_ = 1, noise_ = 0;
  bool gaussian_ = false;
};

}  // namespace sotto::analyzer
