// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/samples.hpp"

#include "rows.hpp"
#include "sotto/local/column.hpp"

namespace sotto {

const Q15* sample_columns(const Samples& samples, std::uint32_t row, std::uint32_t first_column, std::uint32_t count,
                          Q15* buffer) noexcept {
  if (samples.mapped != nullptr) return samples.mapped + std::size_t{row} * samples.stride + first_column;
  if (samples.read == nullptr || !samples.read(samples.context, samples.first_row + row, first_column, count, buffer)) {
    const Q15 none = samples.units == RowUnits::own ? k_missing_reading : Q15{0};
    for (std::uint32_t i = 0; i < count; ++i) buffer[i] = none;
  }
  return buffer;
}

Q15 sample_target(const Samples& samples, std::uint32_t row) noexcept {
  return sample_at(samples, row, samples.features);
}

ColumnView gather_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                          const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept {
  if (samples.mapped != nullptr && samples.units == RowUnits::stated) {
    return {samples.mapped, samples.stride, samples.rows, chosen, samples.mapped + samples.features};
  }
  return copy_columns(samples, chosen, offsets, copy);
}

ColumnView copy_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                        const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept {
  const std::size_t count = chosen.size(), rows = samples.rows;
  const bool by_column = rows * count <= 65536;  // the last offset is rows * (count - 1)
  const std::size_t across = by_column ? rows : 1, down = by_column ? 1 : count + 1;
  Q15* to = copy.data();
  for (std::size_t j = 0; j < count; ++j, to += across) {
    offsets[j] = static_cast<std::uint16_t>(j * across);
    copy_column(samples, chosen[j], to, down);
  }
  copy_column(samples, samples.features, to, down);
  return {copy.data(), static_cast<std::uint32_t>(down), samples.rows, offsets.first(count), to};
}

}  // namespace sotto
