// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/coordinate_aggregate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// hadamard(signs * vector) / sqrt(P), the vector padded with zeros to P numbers: the rotation of a study with this seed.
[[nodiscard]] std::vector<double> rotate(const std::uint8_t* study_seed, std::span<const double> vector);
/// Its inverse: the first `size` of P numbers.
[[nodiscard]] std::vector<double> rotate_back(const std::uint8_t* study_seed, std::span<const double> coordinates,
                                              std::size_t size);

/// Of a rotated coordinate, in the protocol's own units.
struct Interval {
  double low = -1, high = 1;
};

/// A question about one rotated coordinate of a local answer, which coordinate being the device's public coins' choice.
struct CoordinateQuestion {
  LocalAnswer answer = LocalAnswer::least_squares;
  Entries centre;                ///< S with c, features rising
  std::vector<Interval> ranges;  ///< that answers are clipped to: one for all coordinates, or one for each
};

/// The round that asks for the coordinate's bin (the spec's categories cut the range in equal parts) or its value.
[[nodiscard]] RoundDraft draft_coordinate(const RegressionTerms& terms, QuestionKind kind, const AnySpec& spec,
                                          const CoordinateQuestion& question, std::uint16_t number,
                                          std::uint8_t cohort);

/// Devices that hold nothing answer zero; their share, and how well it is known.
struct Dilution {
  double share = 0, standard_error = 0;
};

/// The range of every coordinate for the next round: the heaviest bin, widened by one bin at each side, empty devices taken off.
/// A coordinate without reports keeps the whole range.
[[nodiscard]] std::vector<Interval> read_bins(const CoordinateQuestion& question, const CoordinateAggregate& bins,
                                              const Dilution& empty);

/// The mean answer on S, without the centre, in the direction in which coefficients should go.
///
/// Error  coefficient i is sum_j +-z_j / sqrt(P) of coordinates that different devices answered: its variance is the mean of the
///        coordinates' variances, the same for every i. A coordinate's variance is its reports' own spread; with one report the
///        channel's largest plus the range's, with none the range's. Degrees of freedom by Welch and Satterthwaite.
struct CoordinateMean {
  std::vector<double> mean;
  double standard_error = 0, noise_error = 0;  ///< of one coefficient
  double freedom = 1;
  std::uint64_t used = 0;
};
[[nodiscard]] CoordinateMean read_values(const CoordinateQuestion& question, const CoordinateAggregate& values,
                                         const Dilution& empty, const std::uint8_t* study_seed);

}  // namespace sotto::analyzer
