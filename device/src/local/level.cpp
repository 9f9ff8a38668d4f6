// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/level.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/local/column.hpp"
#include "sotto/wire/recipe.hpp"

namespace sotto {
namespace {

constexpr std::int32_t k_away_max = 1 << 26, k_fit_max = 1 << 27;  // Q24: 4 and 8 full scales
// |r| <= 2^24 + 2^25, so that 2 r - u is below 2^28 in size, and u (2 r - u) below 2^55.
static_assert(std::uint64_t{k_rows_max} << 15 <= std::uint64_t{1} << 25);  // the sum of a column

[[nodiscard]] std::int32_t level_of(const Samples& samples, std::uint32_t column, Q15* buffer) noexcept {
  const std::int32_t sum = column_sum(samples, column, buffer);
  const std::uint64_t size = std::uint64_t{magnitude(sum)} * 512 + samples.rows / 2;  // Q15 to Q24; below 2^35
  const auto mean = static_cast<std::int32_t>(divide_short(size, samples.rows));
  return sum < 0 ? -mean : mean;
}

/// a*b of two Q24 numbers, rounded to nearest, a half upward.
[[nodiscard]] std::int64_t product_q24(std::int32_t a, std::int32_t b) noexcept {
  return shift_right_round(multiply_signed(a, b), 24);
}

}  // namespace

std::uint32_t level_size(std::uint32_t measure, std::uint32_t features) noexcept {
  if (measure >= k_level_target) return 1;
  return measure == k_level_products ? features + 1 : features;
}

void level_answer(const LevelSpec& spec, const Samples& held, const SparseModel& model, Q15* buffer,
                  const std::span<std::int32_t>& out_q24) noexcept {
  Samples samples = held;
  samples.units = RowUnits::stated;
  for (std::int32_t& out : out_q24) out = 0;
  if (samples.rows == 0) return;
  const std::int32_t r = level_of(samples, samples.features, buffer) - spec.target_centre;
  std::int64_t fit = -std::int64_t{spec.fit_centre};
  std::int32_t* out = out_q24.data();
  if (spec.measure == k_level_products)
    *out++ = static_cast<std::int32_t>(shift_right_round(multiply_signed(r, samples.unit_q15), 15));
  for (std::size_t j = 0; j < model.feature.size(); ++j) {
    const std::int32_t level = level_of(samples, model.feature[j], buffer), theta = model.value_q24[j];
    if (spec.measure == k_level_better) {
      fit += product_q24(theta, level);
      continue;
    }
    const std::int32_t away = saturate(std::int64_t{level} - theta, k_away_max);
    *out++ = spec.measure == k_level_columns ? away : saturate_int32(product_q24(away, r));  // at most 2^28
  }
  if (spec.measure == k_level_target) *out = r;
  if (spec.measure == k_level_better) {
    const std::int32_t u = saturate(fit, k_fit_max);
    *out = saturate_int32(product_q24(u, 2 * r - u));
  }
}

}  // namespace sotto
