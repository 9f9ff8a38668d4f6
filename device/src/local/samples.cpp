// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/samples.hpp"

#include "rows.hpp"
#include "sotto/local/own_scale.hpp"

namespace sotto {

const Q15* sample_columns(const Samples& samples, std::uint32_t row, std::uint32_t first_column, std::uint32_t count,
                          Q15* buffer) noexcept {
  if (samples.mapped != nullptr) return samples.mapped + std::size_t{row} * samples.stride + first_column;
  if (samples.read == nullptr || !samples.read(samples.context, row, first_column, count, buffer)) {
    const Q15 none = samples.units == RowUnits::own ? k_missing_reading : Q15{0};
    for (std::uint32_t i = 0; i < count; ++i) buffer[i] = none;
  }
  return buffer;
}

Q15 sample_target(const Samples& samples, std::uint32_t row) noexcept {
  return sample_at(samples, row, samples.features);
}

namespace {

/// Copies the chosen columns and the target: number i of column j goes to copy[i * down + j * across].
void copy_numbers(const Samples& samples, const std::span<const std::uint16_t>& chosen, std::size_t down,
                  std::size_t across, Q15* copy) noexcept {
  for (std::size_t j = 0; j <= chosen.size(); ++j, copy += across) {
    const std::uint32_t column = j < chosen.size() ? chosen[j] : samples.features;
    const OwnScale scale = own_scale(samples, column);
    Q15* to = copy;
    for (std::uint32_t i = 0; i < samples.rows; ++i, to += down) *to = own_value(scale, sample_at(samples, i, column));
  }
}

}  // namespace

ColumnView gather_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                          const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept {
  if (samples.mapped != nullptr && samples.units == RowUnits::stated) {
    return {samples.mapped, samples.stride, samples.rows, chosen, samples.mapped + samples.features};
  }
  const std::size_t count = chosen.size();
  copy_numbers(samples, chosen, count + 1, 1, copy.data());
  for (std::size_t j = 0; j < count; ++j) offsets[j] = static_cast<std::uint16_t>(j);
  return {copy.data(), static_cast<std::uint32_t>(count + 1), samples.rows, offsets.first(count), copy.data() + count};
}

ColumnView copy_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                        const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept {
  const std::size_t count = chosen.size(), rows = samples.rows;
  const bool by_column = rows * count <= 65536;  // the last offset is rows * (count - 1)
  const std::size_t across = by_column ? rows : 1, down = by_column ? 1 : count + 1;
  for (std::size_t j = 0; j < count; ++j) offsets[j] = static_cast<std::uint16_t>(j * across);
  copy_numbers(samples, chosen, down, across, copy.data());
  return {copy.data(), static_cast<std::uint32_t>(down), samples.rows, offsets.first(count),
          copy.data() + count * across};
}

}  // namespace sotto
