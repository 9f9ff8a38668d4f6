// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Estimates the mean of scalars in [-1, 1] from reports of the window randomizer, which sends one of K outcomes,
/// usually one of the w that surround the rounded answer. Reports are absorbed into integer sums, which merge in any
/// order and save to bytes; close() turns them into an estimate with its error.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// The histogram of the outcomes. It is kept whole, so that the mean, the spread and a fit of the answers' distribution
/// can all be computed from the same sums. Derivation: analyzer/math/window.md
class WindowAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<WindowAggregate> open(const WindowSpec& spec);

  /// Refuses  a report that is not an outcome: returns false and counts it as refused.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports);
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const WindowAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<WindowAggregate> load(const WindowSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of z = C (j - (K-1)/2) over the reported outcomes j, 1/C = w (K-w)/2 * (p_in - p_out), with
  ///           p_in and p_out the probabilities of one outcome inside and outside the window: unbiased; it may lie
  ///           outside [-1, 1].
  /// Error     standard_error from the spread of z; noise_error from the largest variance of z over all answers.
  [[nodiscard]] ScalarMean close() const;

  [[nodiscard]] const WindowSpec& spec() const noexcept { return spec_; }
  [[nodiscard]] const Sums& sums() const noexcept { return sums_; }

 private:
  WindowAggregate(const WindowSpec& spec, Sums sums) : spec_(spec), sums_(std::move(sums)) {}
  WindowSpec spec_;
  Sums sums_;
};

}  // namespace sotto::analyzer
