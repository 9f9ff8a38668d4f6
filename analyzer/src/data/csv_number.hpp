// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string_view>

// Recognises what a field of a table holds: a number, a missing value or a date.
namespace sotto::analyzer {

enum class Number : std::uint8_t { good, not_a_number, not_finite };

/// Parses a number, which may have spaces around it and a leading plus; with `decimal_comma` a comma is accepted as the
/// decimal point.
[[nodiscard]] Number parse_number(std::string_view text, bool decimal_comma, float& out);

/// Text without the spaces and tabs around it.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// Whether the field holds no value: it is empty, NA, N/A, NaN or null, in small or large letters.
[[nodiscard]] bool is_missing(std::string_view text) noexcept;

/// Whether the field is a date or a time of day: 2024-03-01, 01.03.2024, 3/1/24, each with or without a time behind it
/// (2024-03-01T12:30:00Z), or 12:30.
[[nodiscard]] bool is_date(std::string_view text) noexcept;

}  // namespace sotto::analyzer
