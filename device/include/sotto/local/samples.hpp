// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The rows that one device holds, in memory or behind a hook: the input of all local estimators.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/fixed.hpp"
#include "sotto/row_units.hpp"

namespace sotto {

inline constexpr std::uint32_t k_rows_max = 1024;
inline constexpr std::uint32_t k_features_max = 65535;

/// The rows that one device holds: features and target as Q15 after the study's public offset and scale; or, where the
/// device uses its own units, the unchanged readings of the sensors. The target is the column after the last feature.
///
/// Either the rows are in memory (RAM or mapped flash), row-major, `stride` numbers apart, and are read in place. Or
/// the firmware provides a hook that fills part of a row on demand, several times if a column is read more than once. A
/// number that the hook cannot deliver counts as zero, which is the study's centre of the column, or in own units as a
/// missing reading; a failure of the hook therefore does not show outside of the device. If the hook returns different
/// numbers when it is called again, the answer is less accurate, but the report is as private.
struct [[gnu::may_alias]] HeldRows {
  std::uint32_t rows = 0;
  std::uint32_t features = 0;
  const Q15* mapped = nullptr;
  std::uint32_t stride = 0;
  void* context = nullptr;
  bool (*read)(void* context, std::uint32_t row, std::uint32_t first_column, std::uint32_t count, Q15* out) = nullptr;
};

/// The rows of a device with the units that the study states for them.
struct Samples : HeldRows {
  RowUnits units = RowUnits::stated;
  std::uint16_t unit_q15 = 8192;  ///< one standard deviation in own units
  std::uint32_t first_row = 0;    ///< the hook's number of row 0; not used for mapped rows
};

/// Columns first .. first+count-1 of a row: a pointer into mapped memory, or `buffer` (count numbers) filled by the
/// hook.
[[nodiscard]] const Q15* sample_columns(const Samples& samples, std::uint32_t row, std::uint32_t first_column,
                                        std::uint32_t count, Q15* buffer) noexcept;

/// The target of a row.
[[nodiscard]] Q15 sample_target(const Samples& samples, std::uint32_t row) noexcept;

/// Whether there is no reading of a row's target. Such a row says nothing: as a number its target would be the mean, and
/// as a class the lower one.
[[nodiscard]] inline bool target_is_missing(const Samples& samples, std::uint32_t row) noexcept {
  return samples.units == RowUnits::own && sample_target(samples, row) == k_missing_reading;
}

/// Chosen columns of all rows: x(i, j) = base[i * stride + column[j]]. Mapped rows in stated units are viewed in place;
/// rows from a hook are copied first, because calling a hook thousands of times for one column would be too slow, and
/// so are rows that the device centres and scales.
struct ColumnView {
  const Q15* base = nullptr;
  std::uint32_t stride = 0;
  std::uint32_t rows = 0;
  std::span<const std::uint16_t> column;  ///< offset of column j within a row of `base`
  const Q15* target = nullptr;            ///< target of row i is target[i * stride]
};

/// How many Q15 numbers gather_columns() needs for its copy: none for mapped rows in stated units.
[[nodiscard]] constexpr std::size_t gathered_size(const Samples& samples, std::size_t chosen) noexcept {
  return samples.mapped != nullptr && samples.units == RowUnits::stated ? 0 : samples.rows * (chosen + 1);
}

/// A view of the chosen features. `chosen`, `offsets` (chosen.size() numbers, used if a copy is made) and `copy`
/// (gathered_size() numbers) must outlive it.
[[nodiscard]] ColumnView gather_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                                        const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept;

/// The same, but always with a copy: samples.rows * (chosen.size() + 1) numbers. Each column is contiguous (stride 1)
/// if its offset fits in 16 bits, which is fastest on machines with vector instructions and enough memory.
[[nodiscard]] ColumnView copy_columns(const Samples& samples, const std::span<const std::uint16_t>& chosen,
                                      const std::span<std::uint16_t>& offsets, const std::span<Q15>& copy) noexcept;

}  // namespace sotto
