/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include <math.h>

#include "sotto_posix.h"

/* The formula of sotto_range_place() in doubles: numerator and denominator are exact for whole numbers of 32 bits, and their
 * quotient is then correctly rounded, which never lifts it to the next whole number. */
void sotto_posix_place_floats(const float* readings, size_t stride, uint32_t rows, int16_t* out, size_t out_stride) {
  double low = 0, high = 0;
  bool any = false;
  for (uint32_t i = 0; i < rows; ++i) {
    const double x = (double)readings[i * stride];
    if (!isfinite(x)) continue;
    if (!any || x < low) low = x;
    if (!any || x > high) high = x;
    any = true;
  }
  const double width = high - low;
  for (uint32_t i = 0; i < rows; ++i) {
    const double x = (double)readings[i * stride], off = 2 * x - low - high;
    int16_t placed = 0;
    if (!isfinite(x)) {
      placed = SOTTO_NO_READING;
    } else if (width > 0) {
      const int32_t size = (int32_t)((2 * 32767 * fabs(off) + width) / (2 * width));
      placed = (int16_t)(off < 0 ? -size : size);
    }
    out[i * out_stride] = placed;
  }
}
