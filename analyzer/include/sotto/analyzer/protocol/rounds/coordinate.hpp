// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Rounds in which each device reports one coordinate of its local vector, after a public random rotation: first the
/// bin that the coordinate lies in, then its value within a narrowed range.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/coordinate_aggregate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// hadamard(signs * vector) / sqrt(P), with the vector padded with zeros to P numbers: the public rotation of a study
/// with this seed.
[[nodiscard]] std::vector<double> rotate(const std::uint8_t* study_seed, std::span<const double> vector);
/// The inverse of rotate(): the first `size` of P numbers.
[[nodiscard]] std::vector<double> rotate_back(const std::uint8_t* study_seed, std::span<const double> coordinates,
                                              std::size_t size);

/// The range of a rotated coordinate, in the protocol's units.
struct Interval {
  double low = -1, high = 1;
};

/// A question about one rotated coordinate of a local vector. The device's public coins choose the coordinate.
struct CoordinateQuestion {
  LocalAnswer answer = LocalAnswer::least_squares;
  Entries centre;                ///< the chosen features S with the centre c, in ascending order
  std::vector<Interval> ranges;  ///< the ranges that answers are clipped to: one for all coordinates, or one for each
};

/// The round that asks for the coordinate's bin (the spec's categories divide the range into equal parts) or its value.
[[nodiscard]] RoundDraft draft_coordinate(const RegressionTerms& terms, QuestionKind kind, const AnySpec& spec,
                                          const CoordinateQuestion& question, std::uint16_t number,
                                          std::uint8_t cohort);

/// The share of devices without data, which answer zero, and its standard error.
struct Dilution {
  double share = 0, standard_error = 0;
};

/// The range of each coordinate for the next round: the bin with the most reports and one bin on either side, after the
/// share of empty devices is subtracted. A coordinate without reports keeps its whole range.
[[nodiscard]] std::vector<Interval> read_bins(const CoordinateQuestion& question, const CoordinateAggregate& bins,
                                              const Dilution& empty);

/// The mean answer on S, without the centre, with the sign of a descent step.
///
/// Error  coefficient i is sum_j +-z_j / sqrt(P) over coordinates that different devices answered, so its variance is
///        the mean of the coordinates' variances, the same for every i. The variance of a coordinate is that of its
///        reports; with one report the channel's largest plus that of the range, without reports that of the range.
///        Degrees of freedom by Welch and Satterthwaite.
struct CoordinateMean {
  std::vector<double> mean;
  double standard_error = 0, noise_error = 0;  ///< of one coefficient
  double freedom = 1;
  std::uint64_t used = 0;
};
[[nodiscard]] CoordinateMean read_values(const CoordinateQuestion& question, const CoordinateAggregate& values,
                                         const Dilution& empty, const std::uint8_t* study_seed);

}  // namespace sotto::analyzer
