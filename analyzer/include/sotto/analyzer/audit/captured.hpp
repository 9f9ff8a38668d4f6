// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Captured reports of any implementation as runs of an audit: a file of reports and a file of truths. The formats are
/// in docs/AUDIT.md.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/audit/event.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::audit {

/// The fewest runs that must be left to measure an event with.
inline constexpr std::uint64_t k_captured_least = 100;

/// What is in the bytes of one report: its public context and its payload.
struct OpenedReport {
  std::string context;
  std::string payload;
};
using OpenReport = std::function<Result<OpenedReport>(std::span<const std::uint8_t>)>;

/// The bytes themselves, without a context: for reports that are not Sotto's.
[[nodiscard]] Result<OpenedReport> whole_report(std::span<const std::uint8_t> bytes);

/// Reads both files. Each line of `reports` is a run: the report in hexadecimal digits, or several joined by `+` with
/// `-` for one that the device refused; then optionally `context=WORD` and `time=NUMBER`. The line of `truth` with the
/// same number says 1 or 2. Blank lines and lines that begin with `#` are skipped in both.
/// Refuses   audit.bad_report: a line that is not of this form; audit.bad_truth; audit.unequal: the files have
///           different numbers of lines, or a context has more runs of one data set than of the other; audit.uneven:
///           lines with different numbers of reports, or only some with a time; audit.too_few: less than
///           k_captured_least runs of each data set are left to measure; what `open` refuses.
[[nodiscard]] Result<Runs> read_captured(std::string_view reports, std::string_view truth, const OpenReport& open);

}  // namespace sotto::analyzer::audit
