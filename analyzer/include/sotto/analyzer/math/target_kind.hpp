// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The kinds of targets: a number, one of two classes, or a count.

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sotto::analyzer {

/// The kind of a target. two_classes: readings above 0 are the upper class. count: devices hold the logarithm of one
/// plus the count.
enum class TargetKind : std::uint8_t { number, two_classes, count };

inline constexpr std::string_view k_target_kinds[] = {"number", "class", "count"};

/// The word of study files and of the command line.
[[nodiscard]] constexpr std::string_view target_kind_name(TargetKind kind) noexcept {
  return k_target_kinds[static_cast<std::size_t>(kind)];
}

/// The kind with this name; nullopt if there is none.
[[nodiscard]] constexpr std::optional<TargetKind> parse_target_kind(std::string_view word) noexcept {
  for (const TargetKind kind : {TargetKind::number, TargetKind::two_classes, TargetKind::count}) {
    if (word == target_kind_name(kind)) return kind;
  }
  return {};
}

/// The logarithm that is modelled in place of a count, and its inverse. The inverse of a mean of logarithms is closer
/// to the median of the counts than to their mean.
[[nodiscard]] inline double log_count(double count) noexcept { return std::log1p(count); }
[[nodiscard]] inline double count_of_log(double log) noexcept { return std::expm1(log); }

}  // namespace sotto::analyzer
