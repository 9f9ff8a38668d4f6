// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include "column_ops_sse2.hpp"
#endif
#include "sotto/arm/rows.hpp"
#include "sotto/barrier.hpp"
#include "sotto/fixed.hpp"

// The inner loops of coordinate descent and least squares, over a column whose rows are `stride` numbers apart. Every
// target computes the same bits, so the rounding is part of the definition; only the instructions differ. |r| < 2^30.
namespace sotto {

// The number of rows whose products with the upper half of the residual are summed in 32 bits, on cores that need it:
// Q23, at most sqrt(chunk * rows) = 128 plus a half for each row that was rounded up, so one of 31 bits stays free.
inline constexpr std::uint32_t k_chunk_max = 128;
constexpr std::uint32_t chunk_of(std::uint32_t rows) noexcept {
  std::uint32_t chunk = k_chunk_max;
  for (std::uint32_t reach = 128; reach < rows; reach *= 2) chunk /= 2;
  return chunk;
}
static_assert(chunk_of(100) == 128 && chunk_of(129) == 64 && chunk_of(1024) * 1024 == 1u << 14);

/// Advances to the next row of a column, or of the residual. The barrier preserves the running pointer: otherwise the
/// compiler turns it into several indices and runs out of registers.
template <class Number>
[[nodiscard, gnu::always_inline]] inline Number* next_row(Number* x, std::size_t stride = 1) noexcept {
  return hide(x + stride);
}

#if defined(__ARM_ARCH_6M__)

using arm::dot_rows;  // at most k_chunk_max rows
using arm::subtract_rows;

#else

// Rows are processed in pairs, after an odd one, and the loops test at their end: half the instructions that are not
// multiplications.

/// r - x*step/2^16, rounded to nearest, wrapping modulo 2^32: while a residual is recomputed, intermediate values may
/// leave the range although neither end does. |step| <= 2^30.
#if defined(__ARM_FEATURE_DSP)
using arm::subtract_product;
#else
using portable::subtract_product;
#endif

/// x'r over some rows, exact in Q39.
[[nodiscard, gnu::noinline]] inline std::int64_t dot_rows(const Q15* x, std::size_t stride, const std::int32_t* r,
                                                          std::uint32_t rows) noexcept {
#if defined(__SSE2__)
  if (stride == 1) return dot_contiguous(x, r, rows);
#endif
  std::int64_t sum = 0;
  const std::int32_t* const end = r + rows;
  if (rows % 2 != 0) {
    sum = std::int64_t{*x} * *r++;
    x = next_row(x, stride);
  }
  if (rows < 2) return sum;
  do {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i, x = next_row(x, stride)) sum += std::int64_t{*x} * *r++;
  } while (r != end);
  return sum;
}

/// r -= x*step/2^16 for every row, rounded to nearest, wrapping modulo 2^32.
[[gnu::noinline]] inline void subtract_rows(const Q15* x, std::size_t stride, std::int32_t step, std::int32_t* r,
                                            std::uint32_t rows) noexcept {
#if defined(__SSE2__)
  if (stride == 1) {
    const std::uint32_t done = subtract_contiguous(x, step, r, rows);
    x += done;
    r += done;
    rows -= done;
  }
#endif
  std::int32_t* const end = r + rows;
  if (rows % 2 != 0) {
    *r = subtract_product(*r, *x, step);
    r = next_row(r);
    x = next_row(x, stride);
  }
  if (rows < 2) return;
  do {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i, x = next_row(x, stride), r = next_row(r)) *r = subtract_product(*r, *x, step);
  } while (r != end);
}

#endif

/// x'y of two columns of at most 1024 rows, exact in Q30.
[[nodiscard, gnu::noinline]] inline std::int64_t dot_samples(const Q15* x, const Q15* y, std::size_t stride,
                                                             std::uint32_t rows) noexcept {
  std::int64_t sum = 0;
  if (rows == 0) return sum;
#if defined(__ARM_ARCH_6M__)
  std::int32_t high = 0, low = 0;  // of products of 31 bits: 1024 * 2^14, 1024 * 2^16
  do {
    const std::int32_t product = *x * *y;
    high += product >> 16;
    low += product & 0xffff;
    x += stride;
    y += stride;
  } while (--rows != 0);
  sum = std::int64_t{high} * 65536 + low;
#else
  do {
    sum += *x * *y;
    x += stride;
    y += stride;
  } while (--rows != 0);
#endif
  return sum;
}

/// x'r over all rows, exact in Q39. |r| is at most sqrt(rows), as in Descent.
[[nodiscard]] inline std::int64_t dot_column(const Q15* x, std::size_t stride, const std::int32_t* r,
                                             std::uint32_t rows) noexcept {
#if defined(__ARM_ARCH_6M__) || defined(__SSE2__)
  std::int64_t sum = 0;
  const std::uint32_t chunk = chunk_of(rows);
  for (std::uint32_t first = 0; first < rows; first += chunk, x += std::size_t{chunk} * stride) {
    sum += dot_rows(x, stride, r + first, rows - first < chunk ? rows - first : chunk);
  }
  return sum;
#else
  return dot_rows(x, stride, r, rows);
#endif
}

}  // namespace sotto
