// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// All text output of the command line. Text arguments may come from files that others wrote, and are made printable
/// here; a test checks that no output bypasses these functions.

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sotto/analyzer/text/printable.hpp"

namespace sotto::cli {

/// How an argument is printed: text made printable on one line, numbers unchanged.
template <class T>
[[nodiscard]] auto as_shown(const T& value) {
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    return analyzer::printable(value);
  } else {
    return value;
  }
}
template <class T>
using AsShown = decltype(as_shown(std::declval<const T&>()));

/// Prints text of several lines on stdout, made printable.
void say_lines(std::string_view text);
/// The same on stderr. A failure to write there is ignored: the exit code still tells the outcome.
void complain(std::string_view text) noexcept;

/// Says notes and warnings about a file on stderr.
void tell_notes(const std::vector<std::string>& notes, const std::vector<std::string>& warnings);

/// Whether all output reached stdout. Checked before the process ends, since truncated output looks complete.
[[nodiscard]] bool stdout_arrived() noexcept;

/// fmt::print for stdout.
template <class... Args>
void say(fmt::format_string<AsShown<Args>...> format, const Args&... args) {
  say_lines(fmt::format(format, as_shown(args)...));
}

}  // namespace sotto::cli
