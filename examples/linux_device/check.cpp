// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "check.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using sotto::Manifest;
using sotto::ReadingScale;
using sotto::RowUnits;

constexpr std::int32_t k_own_max = 32767, k_low = -32768, k_high = 32767;

/// Whether the conversion of the reading saturates.
bool is_clipped(const Manifest& manifest, const ReadingScale& scale, std::int32_t reading) {
  if (manifest.units == RowUnits::own) return reading > k_own_max || reading < -k_own_max;
  const double value = (static_cast<double>(reading) * scale.multiplier + static_cast<double>(scale.offset)) /
                       static_cast<double>(std::uint64_t{1} << scale.shift);
  return value < k_low - 0.5 || value >= k_high + 0.5;
}

const char* units_text(RowUnits units) {
  switch (units) {
    case RowUnits::own: return "the device's own: readings as they are";
    case RowUnits::centred: return "the study's scales; the device takes its own mean off";
    default: return "the study's offsets and scales";
  }
}

}  // namespace

void print_check(const Manifest& manifest, const Readings& readings) {
  const std::uint32_t rows = readings.rows();
  std::printf("columns   %u: %u features and the target, as the study asks\n", readings.columns, manifest.features);
  std::printf("units     %s\n", units_text(manifest.units));
  std::printf("rows      %u; the study expects %u\n", rows, manifest.nominal_rows);
  if (rows == 0) std::printf("          a device without rows answers like the others, and adds noise\n");
  std::uint64_t clipped_total = 0;
  for (std::uint32_t column = 0; column < readings.columns && rows != 0; ++column) {
    const ReadingScale scale = sotto::manifest_scale(manifest, column);
    std::int32_t low = readings.values[column], high = low;
    std::uint32_t clipped = 0;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const std::int32_t reading = readings.values[std::size_t{row} * readings.columns + column];
      low = std::min(low, reading);
      high = std::max(high, reading);
      clipped += is_clipped(manifest, scale, reading) ? 1 : 0;
    }
    clipped_total += clipped;
    char name[32];
    std::snprintf(name, sizeof name, column < manifest.features ? "feature %u" : "target", column);
    std::printf("%-14s %d to %d, clipped %.1f %%%s\n", name, low, high, 100.0 * clipped / rows,
                low == high ? "; constant: it tells nothing" : "");
  }
  if (rows != 0)
    std::printf("clipped   %.1f %% of all readings\n",
                100.0 * static_cast<double>(clipped_total) / static_cast<double>(readings.values.size()));
  std::printf("nothing was spent\n");
}
