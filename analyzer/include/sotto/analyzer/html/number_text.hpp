// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Formatting of numbers for the HTML pages.

#include <cstdint>
#include <string>

namespace sotto::analyzer::html {

/// 1234567 as 1,234,567.
[[nodiscard]] std::string grouped(std::uint64_t n);
/// Three significant digits; "unknown" for a number that is not finite.
[[nodiscard]] std::string short_number(double value);
/// With a sign; the functions with `decimals` give all numbers of a column the same number of decimals.
[[nodiscard]] std::string signed_number(double value);
[[nodiscard]] std::string signed_fixed(double value, int decimals);
[[nodiscard]] std::string fixed(double value, int decimals);
/// A number that a person chose: at most six significant digits, without trailing zeros.
[[nodiscard]] std::string plain_number(double value);
/// A p-value in the usual notation.
[[nodiscard]] std::string p_text(double p);

}  // namespace sotto::analyzer::html
