// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sotto::analyzer {

/// The place where a text nests too deeply.
struct TooDeep {
  std::size_t line = 0;  ///< counted from 1
};

/// Finds a place where TOML text nests deeper than `deepest`, in one pass without recursion. The library that parses a
/// study recurses once for every part of a dotted key and for every bracket, and again to free them, so that a file of
/// 100 KB could exhaust the stack. Strings and comments are skipped as TOML defines them; text that is not TOML is left
/// to the parser. `deepest` bounds the parts of one dotted key or table header, and the brackets and braces that are
/// open at a time.
[[nodiscard]] std::optional<TooDeep> toml_too_deep(std::string_view text, std::size_t deepest) noexcept;

/// The same for the brackets and braces of JSON, whose values are written and compared recursively.
[[nodiscard]] std::optional<TooDeep> json_too_deep(std::string_view text, std::size_t deepest) noexcept;

}  // namespace sotto::analyzer
