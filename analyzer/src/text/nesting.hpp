// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace sotto::analyzer {

/// Where a text nests deeper than allowed.
struct TooDeep {
  std::size_t line = 0;  ///< from 1
};

/// The library that parses a study takes one call deep for every part of a dotted key and for every bracket, and one
/// more to free it, so a file of 100 KB can use up the stack. Looks for such a place without a stack, in one pass;
/// strings and comments are skipped as TOML defines them. What is no TOML at all is left for the parser to say.
/// `deepest` bounds the parts of one dotted key or table header, and the brackets and braces that are open at a time.
[[nodiscard]] std::optional<TooDeep> toml_too_deep(std::string_view text, std::size_t deepest) noexcept;

/// The same for the brackets and braces of JSON, whose values are written and compared by recursion.
[[nodiscard]] std::optional<TooDeep> json_too_deep(std::string_view text, std::size_t deepest) noexcept;

}  // namespace sotto::analyzer
