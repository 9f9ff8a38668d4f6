// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/gradient.hpp"

#include "rows.hpp"
#include "sotto/local/own_scale.hpp"
#include "sotto/local/residual.hpp"

namespace sotto {

namespace {

/// rho * 2^exponent has at most 29 - ceil(log2 m) bits, so that sums over m rows of rho * x / 2^16 stay below 2^28.
struct Format {
  std::int32_t exponent;

  Format(std::uint32_t nominal_rows, std::int32_t bound_q24) noexcept
      : exponent(29 - static_cast<std::int32_t>(std::bit_width(nominal_rows - 1)) -
                 static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(bound_q24) - 1))) {}
};
static_assert((std::uint64_t{1} << (29 + 15 - 16)) < std::uint64_t{1}
                                                         << 30);  // before the rounding of at most 2^10 rows

}  // namespace

void own_gradient(const GradientSpec& spec, const Samples& samples, const SparseModel& at,
                  const std::span<const std::uint16_t>& chosen, const std::span<std::int32_t>& residual,
                  const std::span<std::int32_t>& out_q24) noexcept {
  const Format format{spec.nominal_rows, spec.bound_q24};
  const std::span<std::int32_t> rho = residual.first(samples.rows);
  own_fits_q24(samples, at, rho);
  // The sign of a class is that of its reading, whatever the share of the class is on this device.
  OwnScale scale = own_scale(samples, samples.features);
  if (spec.link.kind == LinkKind::logistic) scale.units = RowUnits::stated;
  for (std::uint32_t i = 0; i < samples.rows; ++i) {
    // Without its target a row says nothing; as a number it would say "the mean", and as a class "the lower one".
    const Q15 target = sample_target(samples, i);
    if (is_missing(samples, target)) {
      rho[i] = 0;
      continue;
    }
    rho[i] = scale_saturate(link_residual_q24(spec.link, rho[i], own_value(scale, target), spec.bound_q24),
                            format.exponent, 1 << 29);
  }
  for (std::size_t k = 0; k < out_q24.size(); ++k) {
    const auto column = static_cast<std::uint32_t>(chosen.empty() ? k : chosen[k]);
    scale = own_scale(samples, column);
    auto sum = static_cast<std::int32_t>(samples.rows >> 1);  // as in gradient()
    for (std::uint32_t i = 0; i < samples.rows; ++i)
      sum = add_product_floor(sum, own_value(scale, sample_at(samples, i, column)), rho[i]);
    out_q24[k] = sum;
  }
  divide_by_rows(spec.nominal_rows, 1 - format.exponent, out_q24);
}

void gradient(const GradientSpec& spec, const Samples& samples, std::uint32_t first, std::uint32_t count,
              const SparseModel& at, const std::span<const std::uint16_t>& chosen,
              const std::span<std::int32_t>& out_q24) noexcept {
  const Format format{spec.nominal_rows, spec.bound_q24};
  // Each product is rounded down; half a unit for each row compensates the bias.
  for (std::int32_t& sum : out_q24) sum = static_cast<std::int32_t>(count >> 1);
  for (std::uint32_t i = first; i < first + count; ++i) {
    const std::int32_t rho =
        link_residual_q24(spec.link, inner_product_q24(samples, i, at), sample_target(samples, i), spec.bound_q24);
    add_row(samples, i, chosen, scale_saturate(rho, format.exponent, 1 << 29), out_q24);
  }
  // The format of a sum is that of rho (Q24 and the exponent) times x (Q15), divided by 2^16.
  divide_by_rows(spec.nominal_rows, 1 - format.exponent, out_q24);
}

}  // namespace sotto
