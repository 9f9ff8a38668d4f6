// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Decodes single reports of the randomizers of one number (window, laplace, gaussian) to an unbiased value with known
/// variance. Protocols that work with individual reports, not only with their mean, use it.

#include <cstdint>
#include <optional>

#include "sotto/analyzer/aggregate/window_law.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The distribution of a decoded report: z with mean x for an answer x in [-1, 1], and its variance, from the spec's
/// integers. For window see analyzer/math/window.md. Reports of laplace and gaussian are whole numbers of grid steps,
/// and the spec's radius of G steps stands for 1.
class ScalarLaw {
 public:
  /// Refuses  protocol.not_a_number: a randomizer whose reports are not one number.
  static Result<ScalarLaw> of(const AnySpec& spec);

  [[nodiscard]] double decode(std::uint32_t report) const noexcept;
  /// The variance of z for the answer x; for additive noise it does not depend on x.
  [[nodiscard]] double variance(double x) const noexcept;
  [[nodiscard]] double worst_variance() const noexcept;
  /// The channel of a window randomizer, which gives P(report | x). Empty for additive noise, which protocols treat as
  /// continuous noise with this variance.
  [[nodiscard]] std::optional<WindowSpec> window() const noexcept { return window_; }
  [[nodiscard]] bool is_gaussian() const noexcept { return gaussian_; }

 private:
  std::optional<WindowSpec> window_;
  std::uint32_t bits_ = 0;  // width of a report with additive noise, two's complement
  double radius_ = 1, noise_ = 0;
  bool gaussian_ = false;
};

}  // namespace sotto::analyzer
