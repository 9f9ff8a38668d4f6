// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sotto/analyzer/text/printable.hpp"

// What the command line says. Everything goes through here: an argument that is text may come from a file that somebody
// else wrote, and is made printable. A test looks for output that goes around.
namespace sotto::cli {

/// What stands for an argument: text printable and on one line, numbers as they are.
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

/// Text of several lines on stdout, made printable.
void say_lines(std::string_view text);
/// The same on stderr, as far as it takes it: what cannot be said there is no reason to end otherwise than with the
/// exit code.
void complain(std::string_view text) noexcept;

/// Everything that was printed has arrived. Asked before the process ends, since output that is cut short looks
/// complete.
[[nodiscard]] bool stdout_arrived() noexcept;

/// fmt::print for stdout.
template <class... Args>
void say(fmt::format_string<AsShown<Args>...> format, const Args&... args) {
  say_lines(fmt::format(format, as_shown(args)...));
}

}  // namespace sotto::cli
