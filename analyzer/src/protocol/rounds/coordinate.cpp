// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/choices.hpp"
#include "sotto/local/least_squares.hpp"

namespace sotto::analyzer {
namespace {

// Ridge, a hundredth of the features' squares: collinear columns share what they explain, and the mean of a coordinate
// is biased towards zero by no more than that.
constexpr double k_ridge = 0.01;

/// With the factor 1/sqrt(P) the transform is its own inverse.
void hadamard(std::vector<double>& values) {
  for (std::size_t half = 1; half < values.size(); half *= 2) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if ((i & half) != 0) continue;
      const double a = values[i], b = values[i + half];
      values[i] = a + b;
      values[i + half] = a - b;
    }
  }
  for (double& v : values) v /= std::sqrt(static_cast<double>(values.size()));
}

void turn_signs(const std::uint8_t* study_seed, std::vector<double>& values) {
  PublicCoins signs = rotation_signs({study_seed, 0, 0});
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < values.size(); ++i, bits >>= 1) {
    if ((i & 31u) == 0) bits = signs.word();
    if ((bits & 1u) != 0) values[i] = -values[i];
  }
}

const Interval& range_of(const CoordinateQuestion& question, std::size_t coordinate) {
  return question.ranges[question.ranges.size() == 1 ? 0 : coordinate];
}

struct CoordinateEstimate {
  double mean = 0, variance = 0, noise = 0, freedom = 1;
};

CoordinateEstimate read_value(const Interval& range, const ScalarMean& value, const Dilution& empty) {
  const double half = (range.high - range.low) / 2, held = 1 - empty.share;
  CoordinateEstimate out;
  out.mean = (range.low + range.high) / 2;
  if (value.used == 0) {
    out.variance = half * half;
    return out;
  }
  const double noise = value.noise_error * value.noise_error;
  const double spread = value.used == 1 ? 1 + noise : value.standard_error * value.standard_error;
  // An empty device answers zero, clipped to the range.
  const double of_empty = std::clamp(0.0, range.low, range.high);
  out.mean = (out.mean + half * value.mean - empty.share * of_empty) / held;
  const double of_share = (out.mean - of_empty) * empty.standard_error / held;
  out.variance = half * half * spread / (held * held) + of_share * of_share;
  out.noise = half * half * noise / (held * held);
  out.freedom = std::max(1.0, static_cast<double>(value.used) - 1);
  return out;
}

}  // namespace

std::vector<double> rotate(const std::uint8_t* study_seed, std::span<const double> vector) {
  std::vector<double> out(vector.begin(), vector.end());
  turn_signs(study_seed, out);
  out.resize(rotated_size(static_cast<std::uint32_t>(out.size())));
  hadamard(out);
  return out;
}

std::vector<double> rotate_back(const std::uint8_t* study_seed, std::span<const double> coordinates, std::size_t size) {
  std::vector<double> out(coordinates.begin(), coordinates.end());
  hadamard(out);
  out.resize(size);
  turn_signs(study_seed, out);
  return out;
}

RoundDraft draft_coordinate(const RegressionTerms& terms, QuestionKind kind, const AnySpec& spec,
                            const CoordinateQuestion& question, std::uint16_t number, std::uint8_t cohort) {
  RoundDraft draft{kind, Recipe::least_squares, number, cohort, spec, {}, question.centre};
  put_local_answer(terms, question.answer, draft);
  if (question.answer == LocalAnswer::least_squares) {
    const double ridge = k_ridge * terms.unit() * terms.unit();
    draft.parameter[recipe::vector::ridge] =
        std::clamp(static_cast<std::uint32_t>(to_q24(ridge)), k_ridge_q24_min, k_ridge_q24_max);
  }
  const double unit = device_unit(question.answer, terms.unit());
  for (const Interval& range : question.ranges) {
    const std::int32_t low = to_q24(range.low * unit);
    draft.pairs.push_back({low, std::max(low + 1, to_q24(range.high * unit))});
  }
  return draft;
}

std::vector<Interval> read_bins(const CoordinateQuestion& question, const CoordinateAggregate& bins,
                                const Dilution& empty) {
  std::vector<Interval> out;
  for (CategoryCounts& counts : bins.counts()) {
    const Interval& range = range_of(question, out.size());
    if (counts.used == 0) {
      out.push_back(range);
      continue;
    }
    const std::size_t last = counts.count.size() - 1;
    const double width = (range.high - range.low) / static_cast<double>(counts.count.size());
    const double zero = (std::clamp(0.0, range.low, range.high) - range.low) / width;
    counts.count[std::min(last, static_cast<std::size_t>(zero))] -= empty.share * static_cast<double>(counts.used);
    const auto heaviest = static_cast<double>(std::ranges::max_element(counts.count) - counts.count.begin());
    out.push_back({range.low + (heaviest - 1) * width, range.low + (heaviest + 2) * width});
  }
  return out;
}

CoordinateMean read_values(const CoordinateQuestion& question, const CoordinateAggregate& values, const Dilution& empty,
                           const std::uint8_t* study_seed) {
  std::vector<double> coordinates;
  double variance = 0, noise = 0, by_freedom = 0;
  CoordinateMean out;
  for (const ScalarMean& value : values.means()) {
    const CoordinateEstimate one = read_value(range_of(question, coordinates.size()), value, empty);
    coordinates.push_back(one.mean);
    variance += one.variance;
    noise += one.noise;
    by_freedom += one.variance * one.variance / one.freedom;
    out.used += value.used;
  }
  const auto size = static_cast<double>(coordinates.size());
  out.standard_error = std::sqrt(variance / size);
  out.noise_error = std::sqrt(noise / size);
  out.freedom = by_freedom > 0 ? variance * variance / by_freedom : 1;
  out.mean = rotate_back(study_seed, coordinates, question.centre.size());
  // A device reports the gradient of its loss, which points away from the minimum.
  if (question.answer == LocalAnswer::gradient) {
    for (double& v : out.mean) v = -v;
  }
  return out;
}

}  // namespace sotto::analyzer
