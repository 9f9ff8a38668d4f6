// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>

namespace sotto::analyzer::html {

/// 1234567 as 1,234,567.
[[nodiscard]] std::string grouped(std::uint64_t n);
/// Three significant digits; "unknown" for what is not finite.
[[nodiscard]] std::string short_number(double value);
/// With its sign, and with so many decimals: numbers of one column.
[[nodiscard]] std::string signed_number(double value);
[[nodiscard]] std::string signed_fixed(double value, int decimals);
[[nodiscard]] std::string fixed(double value, int decimals);
/// A number that somebody chose, without digits that nobody wrote.
[[nodiscard]] std::string plain_number(double value);
/// A p-value as people read it.
[[nodiscard]] std::string p_text(double p);

}  // namespace sotto::analyzer::html
