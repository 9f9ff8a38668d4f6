// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// The mean of scalars in [-1, 1] from the window channel: how often each outcome came. The histogram is kept whole, so
/// that the spread and the fit of a law can be read from the same sums. Derivation: analyzer/math/window.md
class WindowAggregate {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<WindowAggregate> open(const WindowSpec& spec);

  /// Refuses  a report that is no outcome: false, and counted.
  bool absorb(std::uint32_t report) noexcept;
  /// Returns how many were used.
  std::uint64_t absorb(std::span<const std::uint32_t> reports);
  /// Refuses  what Sums::merge() refuses.
  Result<Done> merge(const WindowAggregate& other) { return sums_.merge(other.sums_); }
  void save(std::vector<std::uint8_t>& out) const { sums_.save(out); }
  /// Refuses  what open() and Sums::load() refuse.
  static Result<WindowAggregate> load(const WindowSpec& spec, std::span<const std::uint8_t> bytes);

  /// Estimate  the mean of z = C (j - (K-1)/2), 1/C = w (K-w)/2 * (p_in - p_out): unbiased, may leave [-1, 1].
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
