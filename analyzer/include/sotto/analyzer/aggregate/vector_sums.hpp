// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Sums of reported codewords, shared by the three direction estimators (hemisphere, cross_polytope, sphere_code).

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/analyzer/math/direction_error.hpp"

namespace sotto::analyzer {

/// The estimated mean of the devices' vectors, by coordinate. Without reports the mean is 0 and the errors are
/// infinite.
struct VectorMean {
  std::vector<double> mean;
  std::vector<double> standard_error;  ///< from the reports' own spread: privacy noise and the spread of the answers
  std::vector<double> noise_error;  ///< from the distribution of the noise alone, as if all answers equalled the mean
  std::uint64_t used = 0, refused = 0;
};

/// The layout of the sums.
struct VectorShape {
  Stem stem{};
  Digest spec{};
  std::uint32_t dimension = 0;
  std::uint32_t term_bits = 0;  ///< |term| <= 2^term_bits, at most 18
  bool with_squares = false;    ///< keep the sums of squares too
};

/// Integer sums of the codewords that devices reported, and of their squares. A square that would not fit 23 bits loses
/// its low bits, each square by itself, so that the result does not depend on the order of reports. Terms are first
/// added in 32 bits and carried over to 64 bits every 256 reports: 2^18 * 256 and 2^23 * 256 both fit.
class VectorSums {
 public:
  explicit VectorSums(const VectorShape& shape) : VectorSums(shape, Sums{sums_shape(shape)}) {}

  [[nodiscard]] bool has_room() const noexcept { return sums_.has_room(); }
  void count_refused() noexcept { sums_.count_refused(); }

  /// Adds the codeword of one report, `dimension` numbers. Call it only while has_room().
  template <class Int>
  void add(const Int* terms) noexcept;

  Result<Done> merge(const VectorSums& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  what Sums::load() refuses.
  static Result<VectorSums> load(const VectorShape& shape, std::span<const std::uint8_t> bytes);

  /// The sums including pending terms: `dimension` sums, then as many sums of squares if they are kept.
  [[nodiscard]] Sums settled() const;

  /// Estimate  z_j = unit * sum_j / (n * scale), with `unit` the value of one integer step of a codeword, n the number
  ///           of reports and `scale` from DirectionError.
  /// Error     from the sums of squares; if these are not kept, from the distribution of the noise, for which E z_j^2
  ///           is then known exactly.
  [[nodiscard]] VectorMean mean(const DirectionError& law, double unit) const;

 private:
  VectorSums(const VectorShape& shape, Sums sums);
  static SumsShape sums_shape(const VectorShape& shape) noexcept;
  void carry_over(Sums& into) const noexcept;

  static constexpr std::uint32_t k_pending_max = 256;
  VectorShape shape_;
  std::uint32_t square_shift_;
  Sums sums_;
  std::vector<std::int32_t> pending_;
  std::vector<std::uint32_t> pending_squares_;
  std::uint32_t pending_reports_ = 0;
};

}  // namespace sotto::analyzer
