// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "gain.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/own_scale.hpp"
#include "sotto/local/residual.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

/// Target and fit of the rows, in the device's units: y in Q15, fits in Q24.
struct Fitted {
  const Samples& samples;
  OwnScale scale;
  std::span<const std::int32_t> fit_q24;

  [[nodiscard]] std::int32_t target(std::uint32_t i) const noexcept {
    return own_value(scale, sample_target(samples, i));
  }
};

/// (above - below) / all in Q15, all of at most 2^51; 0 if there is nothing.
[[nodiscard]] std::int32_t ratio_q15(std::uint64_t above, std::uint64_t below, std::uint64_t all) noexcept {
  if (all == 0) return 0;
  const std::uint64_t size = above > below ? above - below : below - above;
  const std::uint32_t bits = signed_bits(static_cast<std::int64_t>(all)), shift = bits > 46 ? bits - 46 : 0;
  const auto ratio = static_cast<std::int32_t>(divide_floor((size >> shift) << 15, all >> shift));
  return above > below ? ratio : -ratio;
}

[[nodiscard]] std::int32_t number_gain(const Fitted& rows) noexcept {
  std::uint64_t before = 0, after = 0;
  for (std::uint32_t i = 0; i < rows.samples.rows; ++i) {
    const std::int32_t y = rows.target(i);
    const std::int32_t left = y - scale_saturate(rows.fit_q24[i], -9, 1 << 19);  // Q15: below 2^20
    before += static_cast<std::uint32_t>(y * y);
    after += multiply_32(magnitude(left), magnitude(left));
  }
  return before == 0 ? 0 : ratio_q15(before, after, before + after);
}

/// The model tells the upper class where mean + deviation * fit is nearer to it; a logistic model counts in log-odds,
/// which are steeper by one over the variance.
[[nodiscard]] std::int32_t class_gain(const Fitted& rows, bool log_odds) noexcept {
  std::int32_t low = 32767, high = -32768;
  for (std::uint32_t i = 0; i < rows.samples.rows; ++i) {
    const std::int32_t y = rows.target(i);
    low = y < low ? y : low;
    high = y > high ? y : high;
  }
  if (low >= high) return 0;
  // Both sides times the unit: u > middle, or u > middle * (high - low) in deviations. At most 2^46 and 2^40.
  const std::int32_t middle = (low + high) >> 1, unit = rows.samples.unit_q15;
  const std::int64_t threshold = std::int64_t{middle} * 512 * (log_odds ? high - low : unit);
  std::uint32_t upper = 0, right = 0;
  for (std::uint32_t i = 0; i < rows.samples.rows; ++i) {
    const bool is_upper = rows.target(i) > middle;
    const bool told_upper = std::int64_t{rows.fit_q24[i]} * unit > threshold;
    upper += is_upper ? 1 : 0;
    right += is_upper == told_upper ? 1 : 0;
  }
  const std::uint32_t larger = 2 * upper > rows.samples.rows ? upper : rows.samples.rows - upper;
  return ratio_q15(right, larger, rows.samples.rows);
}

}  // namespace

Status check_gain(const Asked& asked) noexcept {
  const Round& round = asked.round;
  if (!takes_only_its_own(asked) || has_table(round) || !in_range(round.parameter[recipe::gain::bound], 1, k_q15_one) ||
      round.parameter[recipe::gain::classes] > 1) {
    return Status::bad_field;
  }
  if (round.model_size == 0 || !model_fits(asked)) return Status::bad_dimension;
  return check_space(asked,
                     k_workspace_slack + model_bytes(round) + asked.manifest.nominal_rows * sizeof(std::int32_t));
}

std::int32_t gain_answer(const Asked& asked, const LocalData& local) noexcept {
  Samples samples = nominal_samples(asked, local.samples);
  if (samples.units == RowUnits::stated) samples.units = RowUnits::centred;
  Workspace space = free_space(asked);
  const SparseModel model = copy_model(asked.round, space);
  const std::span<std::int32_t> fit = space.take<std::int32_t>(samples.rows);
  own_fits_q24(samples, model, fit);
  const Fitted rows{samples, own_scale(samples, samples.features), fit};
  const bool log_odds = asked.round.link == static_cast<std::uint8_t>(LinkKind::logistic);
  const std::int32_t gain =
      asked.round.parameter[recipe::gain::classes] != 0 ? class_gain(rows, log_odds) : number_gain(rows);
  return scaled_target(static_cast<Q15>(saturate(gain, 32767)), asked.round.parameter[recipe::gain::bound], k_q15_one);
}

}  // namespace sotto
