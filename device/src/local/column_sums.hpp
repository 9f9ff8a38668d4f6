// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/screen.hpp"

// One pass over all columns, each with its strength against the target or a residual: screening and scores.
namespace sotto {

/// Adds rows of one column, `stride` numbers apart, one for each weight.
void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, ColumnSums& sums) noexcept;

/// Who is told a column's strength, below zero where it goes against the target: a strength has 24 bits.
struct ColumnSeer {
  void* context;
  void (*see)(void* context, std::uint32_t column, std::int32_t strength) noexcept;
};

/// Tells the strength of every column, by rising number: against the target, or the residual rounded to the 15 bits below its
/// largest entry. `work` is screen_work_bytes(); rows beyond what it holds are left out.
void see_columns(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                 const std::span<std::byte>& work, const ColumnSeer& seer) noexcept;

/// The same for see(column, strength).
template <class See>
void see_columns(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                 const std::span<std::byte>& work, See see) noexcept {
  see_columns(spec, samples, residual_q24, work,
              ColumnSeer{&see, [](void* context, std::uint32_t column, std::int32_t strength) noexcept {
                           (*static_cast<See*>(context))(column, strength);
                         }});
}

}  // namespace sotto
