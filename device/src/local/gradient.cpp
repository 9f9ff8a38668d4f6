// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/gradient.hpp"

#include "column_ops.hpp"
#include "rows.hpp"
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

/// Each product is rounded down; half a unit for each row compensates the bias. Out of line, for registers.
[[nodiscard, gnu::noinline]] std::int32_t sum_products(const Column& column, const std::int32_t* rho,
                                                       std::uint32_t rows) noexcept {
  auto sum = static_cast<std::int32_t>(rows >> 1);
  const Q15* x = column.x;
  const std::size_t stride = column.stride;
  const std::int32_t* const end = rho + rows;
  if (rho == end) return sum;
  do {
    sum = add_product_floor(sum, *x, *rho++);
    x = next_row(x, stride);
  } while (rho != end);
  return sum;
}

}  // namespace

void gradient(const GradientSpec& spec, const Samples& samples, const SparseModel& at,
              const std::span<const std::uint16_t>& chosen, const std::span<std::byte>& work,
              const std::span<std::int32_t>& out_q24) noexcept {
  const Format format{spec.nominal_rows, spec.bound_q24};
  Workspace space{work};
  auto* const rho = space.take_data<std::int32_t>(samples.rows);
  auto* const buffer = space.take_data<Q15>(samples.rows);  // none where column_of() needs none
  fits_q24(samples, at, buffer, rho);
  // The sign of a class is that of its reading, whatever the share of the class is on this device.
  const bool classes = spec.link.kind == LinkKind::logistic;
  const Column target = column_of(samples, samples.features, buffer);
  for (std::uint32_t i = 0; i < samples.rows; ++i) {
    const Q15 y = classes ? sample_target(samples, i) : target[i];
    rho[i] = target_is_missing(samples, i)
                 ? 0
                 : scale_saturate(link_residual_q24(spec.link, rho[i], y, spec.bound_q24), format.exponent, 1 << 29);
  }
  for (std::size_t k = 0; k < out_q24.size(); ++k) {
    out_q24[k] = sum_products(column_of(samples, static_cast<std::uint32_t>(chosen.empty() ? k : chosen[k]), buffer),
                              rho, samples.rows);
  }
  // The format of a sum is that of rho (Q24 and the exponent) times x (Q15), divided by 2^16.
  divide_by_rows(spec.nominal_rows, 1 - format.exponent, out_q24);
}

}  // namespace sotto
