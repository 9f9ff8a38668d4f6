// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "gain.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/column.hpp"
#include "sotto/local/residual.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

/// Target and fit of the rows, in the device's units: y in Q15, fits in Q24. A row whose target is missing does not count.
struct Fitted {
  const Samples& samples;
  const Q15* target;
  const std::int32_t* fit_q24;

  /// 1 for a row that counts, else 0: a factor, and no branch.
  [[nodiscard]] std::uint32_t counts(std::uint32_t row) const noexcept {
    return target_is_missing(samples, row) ? 0u : 1u;
  }
};

// Of targets and fits, Q15: two full scales.
constexpr std::uint32_t k_centre_max = 1u << 16;
constexpr std::uint32_t k_class_measures =
    1u << k_measure_class_gain | 1u << k_measure_own_right | 1u << k_measure_right;
constexpr std::int32_t k_fit_max = 1 << 17;  // Q15: 16 deviations of the usual unit
constexpr std::uint64_t k_target_max = 32768 + k_centre_max, k_left_max = k_target_max + k_fit_max + k_centre_max;
static_assert((k_rows_max * (k_left_max * k_left_max + k_target_max * k_target_max)) << 15 < std::uint64_t{1} << 63);

/// (above - below) / all in Q15, at most 1 in size; all of at most 2^48. 0 if there is nothing.
[[nodiscard]] std::int32_t ratio_q15(std::uint64_t above, std::uint64_t below, std::uint64_t all) noexcept {
  if (all == 0) return 0;
  const bool gains = above > below;
  const std::uint64_t size = gains ? above - below : below - above;
  const auto ratio = static_cast<std::int32_t>(divide_floor((size < all ? size : all) << 15, all));
  return gains ? ratio : -ratio;
}

/// With the squares A of targets y and B of what fits u leave of them, around public centres: (A - B) / (A + B), or the
/// mean over the rows of y^2 - (y - u)^2, of y^2, or of u.
[[nodiscard]] std::int32_t number_answer(const Fitted& rows, std::uint32_t measure, std::int32_t target_centre,
                                         std::int32_t fit_centre) noexcept {
  std::uint64_t before = 0, after = 0;
  std::int32_t fits = 0;  // below 2^18 * 2^10
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < rows.samples.rows; ++i) {
    const std::uint32_t counts = rows.counts(i);
    const auto factor = static_cast<std::int32_t>(counts);
    const std::int32_t y = factor * (rows.target[i] - target_centre);
    const std::int32_t u = factor * (scale_saturate(rows.fit_q24[i], -9, k_fit_max) - fit_centre);
    count += counts;
    before += multiply_32(magnitude(y), magnitude(y));
    after += multiply_32(magnitude(y - u), magnitude(y - u));
    fits += u;
  }
  std::uint64_t all = std::uint64_t{count} << 30;
  if (measure == k_measure_gain) all = before == 0 ? 0 : before + after;
  if (measure == k_measure_square) after = 0;
  if (measure == k_measure_fit) {
    before = std::uint64_t{magnitude(fits)} << 15;
    after = 0;
    if (fits < 0) return -ratio_q15(before, after, all);
  }
  return ratio_q15(before, after, all);
}

/// Of the rows whose class the model tells right, the share beyond that of the others, or of the larger class. The upper
/// class is beyond `middle`: public, or of the device. The model tells it where mean + deviation * fit is nearer to it; a
/// logistic model counts in log-odds, which are steeper by one over the variance.
[[nodiscard]] std::int32_t class_answer(const Fitted& rows, const Round& round, std::uint32_t measure,
                                        std::int32_t middle, std::int32_t fit_centre) noexcept {
  const std::uint32_t held = rows.samples.rows;
  std::int32_t unit = 1;
  std::int64_t threshold = std::int64_t{fit_centre} * 512;
  if (measure != k_measure_right) {
    std::int32_t low = 32767, high = -32768;
    for (std::uint32_t i = 0; i < held; ++i) {
      const std::int32_t y = rows.target[i];  // of a missing one their mean, which is between them
      low = y < low ? y : low;
      high = y > high ? y : high;
    }
    if (low >= high) return 0;
    // Both sides times the unit: u > middle, or u > middle * (high - low) in deviations. At most 2^46 and 2^40.
    middle = (low + high) >> 1;
    unit = rows.samples.unit_q15;
    const bool log_odds = round.link == static_cast<std::uint8_t>(LinkKind::logistic);
    threshold = std::int64_t{middle} * 512 * (log_odds ? high - low : unit);
  }
  std::uint32_t upper = 0, right = 0, all = 0;
  for (std::uint32_t i = 0; i < held; ++i) {
    const std::uint32_t counts = rows.counts(i);
    const bool is_upper = rows.target[i] > middle;
    const bool told_upper = std::int64_t{rows.fit_q24[i]} * unit > threshold;
    all += counts;
    upper += is_upper ? counts : 0;
    right += is_upper == told_upper ? counts : 0;
  }
  std::uint32_t other = all - right;
  if (measure == k_measure_class_gain) other = 2 * upper > all ? upper : all - upper;
  return ratio_q15(right, other, all);
}

}  // namespace

Status check_gain(Asked& asked) noexcept {
  const Round& round = asked.round;
  const std::uint32_t measure = round.parameter[recipe::gain::measure];
  const std::uint32_t most = measure < k_measure_better ? 0 : k_centre_max;
  const auto is_centre = [&round, most](const Parameter& centre) noexcept {
    return round.parameter[centre] + most <= 2 * most;  // from -most to most
  };
  if (!takes_only_its_own(asked) || has_table(round) || !in_range(round.parameter[recipe::gain::bound], 1, k_q15_one) ||
      measure > k_measure_right || !is_centre(recipe::gain::target_centre) || !is_centre(recipe::gain::fit_centre)) {
    return Status::bad_field;
  }
  if (round.model_size == 0 || !model_fits(asked)) return Status::bad_dimension;
  const std::size_t rows = asked.manifest.nominal_rows;
  plan_scratch(asked, k_workspace_slack + model_bytes(round) + rows * (sizeof(std::int32_t) + sizeof(Q15)));
  return Status::ok;
}

std::int32_t gain_answer(const Asked& asked, const LocalData& local) noexcept {
  Samples samples = nominal_samples(asked, local.samples);
  const std::uint32_t measure = asked.round.parameter[recipe::gain::measure];
  if (measure < k_measure_better && samples.units == RowUnits::stated) samples.units = RowUnits::centred;
  Workspace space = free_space(asked);
  const SparseModel model = copy_model(asked.round, space);
  auto* const fit = space.take_data<std::int32_t>(samples.rows);
  auto* const column = space.take_data<Q15>(samples.rows);
  fits_q24(samples, model, column, fit);
  copy_column(samples, samples.features, column, 1);
  const Fitted rows{samples, column, fit};
  const auto target_centre = static_cast<std::int32_t>(asked.round.parameter[recipe::gain::target_centre]);
  const auto fit_centre = static_cast<std::int32_t>(asked.round.parameter[recipe::gain::fit_centre]);
  const bool is_class = (1u << measure & k_class_measures) != 0;
  const std::int32_t gain = is_class ? class_answer(rows, asked.round, measure, target_centre, fit_centre)
                                     : number_answer(rows, measure, target_centre, fit_centre);
  return scaled_target(static_cast<Q15>(saturate(gain, 32767)), asked.round.parameter[recipe::gain::bound], k_q15_one);
}

}  // namespace sotto
