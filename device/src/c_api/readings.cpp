// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The functions of sotto.h for readings of 32 bits.
#include "sotto/local/readings.hpp"

#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

static_assert(sizeof(sotto_range) == sizeof(ReadingRange) &&
              offsetof(sotto_range, high) == offsetof(ReadingRange, high));
static_assert(SOTTO_NO_WIDE_READING == k_missing_wide_reading && SOTTO_NO_READING == k_missing_reading);

void sotto_range_add(sotto_range* range, int32_t reading) { widen(as<ReadingRange>(range), reading); }

int16_t sotto_range_place(const sotto_range* range, int32_t reading) {
  return place_saturate(as<ReadingRange>(range), reading);
}

void sotto_place_column(const int32_t* readings, size_t stride, uint32_t rows, int16_t* out, size_t out_stride) {
  ReadingRange range;
  for (uint32_t i = 0; i < rows; ++i) widen(range, readings[i * stride]);
  for (uint32_t i = 0; i < rows; ++i) out[i * out_stride] = place_saturate(range, readings[i * stride]);
}
