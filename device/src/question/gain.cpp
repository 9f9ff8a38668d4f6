// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "gain.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/column.hpp"
#include "sotto/local/residual.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

/// Target and fit of the rows, in the device's units: y in Q15, fits in Q24.
struct Fitted {
  std::uint32_t rows;
  const Q15* target;
  const std::int32_t* fit_q24;
};

constexpr std::int32_t k_fit_max = 1 << 17;  // Q15: 16 deviations of the usual unit
static_assert((std::uint64_t{k_rows_max} * (k_fit_max + 32768) * (k_fit_max + 32768)) << 15 < std::uint64_t{1} << 62);

/// (above - below) / all in Q15, all of at most 2^47 and above 0.
[[nodiscard]] std::int32_t ratio_q15(std::uint64_t above, std::uint64_t below, std::uint64_t all) noexcept {
  const bool gains = above > below;
  const auto ratio = static_cast<std::int32_t>(divide_floor((gains ? above - below : below - above) << 15, all));
  return gains ? ratio : -ratio;
}

[[nodiscard]] std::int32_t number_gain(const Fitted& rows) noexcept {
  std::uint64_t before = 0, after = 0;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    const std::int32_t y = rows.target[i];
    const std::int32_t left = y - scale_saturate(rows.fit_q24[i], -9, k_fit_max);
    before += static_cast<std::uint32_t>(y * y);
    after += multiply_32(magnitude(left), magnitude(left));
  }
  return before == 0 ? 0 : ratio_q15(before, after, before + after);
}

/// The model tells the upper class where mean + deviation * fit is nearer to it; a logistic model counts in log-odds,
/// which are steeper by one over the variance.
[[nodiscard]] std::int32_t class_gain(const Fitted& rows, std::int32_t unit, bool log_odds) noexcept {
  std::int32_t low = 32767, high = -32768;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    const std::int32_t y = rows.target[i];
    low = y < low ? y : low;
    high = y > high ? y : high;
  }
  if (low >= high) return 0;
  // Both sides times the unit: u > middle, or u > middle * (high - low) in deviations. At most 2^46 and 2^40.
  const std::int32_t middle = (low + high) >> 1;
  const std::int64_t threshold = std::int64_t{middle} * 512 * (log_odds ? high - low : unit);
  std::uint32_t upper = 0, right = 0;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    const bool is_upper = rows.target[i] > middle;
    const bool told_upper = std::int64_t{rows.fit_q24[i]} * unit > threshold;
    upper += is_upper ? 1 : 0;
    right += is_upper == told_upper ? 1 : 0;
  }
  const std::uint32_t larger = 2 * upper > rows.rows ? upper : rows.rows - upper;
  return ratio_q15(right, larger, rows.rows);
}

}  // namespace

Status check_gain(const Asked& asked) noexcept {
  const Round& round = asked.round;
  if (!takes_only_its_own(asked) || has_table(round) || !in_range(round.parameter[recipe::gain::bound], 1, k_q15_one) ||
      round.parameter[recipe::gain::classes] > 1) {
    return Status::bad_field;
  }
  if (round.model_size == 0 || !model_fits(asked)) return Status::bad_dimension;
  const std::size_t rows = asked.manifest.nominal_rows;
  return check_space(asked, k_workspace_slack + model_bytes(round) + rows * (sizeof(std::int32_t) + sizeof(Q15)));
}

std::int32_t gain_answer(const Asked& asked, const LocalData& local) noexcept {
  Samples samples = nominal_samples(asked, local.samples);
  if (samples.units == RowUnits::stated) samples.units = RowUnits::centred;
  Workspace space = free_space(asked);
  const SparseModel model = copy_model(asked.round, space);
  auto* const fit = space.take_data<std::int32_t>(samples.rows);
  auto* const column = space.take_data<Q15>(samples.rows);
  fits_q24(samples, model, column, fit);
  copy_column(samples, samples.features, column, 1);
  const Fitted rows{samples.rows, column, fit};
  const bool log_odds = asked.round.link == static_cast<std::uint8_t>(LinkKind::logistic);
  const std::int32_t gain = asked.round.parameter[recipe::gain::classes] != 0
                                ? class_gain(rows, samples.unit_q15, log_odds)
                                : number_gain(rows);
  return scaled_target(static_cast<Q15>(saturate(gain, 32767)), asked.round.parameter[recipe::gain::bound], k_q15_one);
}

}  // namespace sotto
