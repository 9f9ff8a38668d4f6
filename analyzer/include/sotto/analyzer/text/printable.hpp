// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

// Names, file names, keys and cells come from other people. Whatever quotes them passes them through here, so that text can neither steer
// a terminal, nor turn the order of what stands beside it, nor break the encoding of what it is put into.
namespace sotto::analyzer {

/// Text on one line as a reader may see it: valid UTF-8. Control characters, line breaks, characters that turn the writing direction or that
/// nobody sees, and bytes that are no UTF-8 stand as `\x1b`, `\u202e`, `\xff`; letters of all scripts stand as they are.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for text of several lines: line feeds and tabs stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Valid UTF-8 with everything else as it is: for formats that have an escape of their own, such as JSON. A byte that is no UTF-8 stands as `\xff`.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// The beginning of valid UTF-8 in at most so many bytes, cut between two characters.
[[nodiscard]] std::string_view first_letters(std::string_view text, std::size_t bytes) noexcept;

/// Whether a character of Unicode steers in place of being seen.
[[nodiscard]] bool is_steering(char32_t character) noexcept;

struct Character {
  char32_t value = 0;     ///< where `is_valid`
  std::size_t bytes = 0;  ///< at least 1
  bool is_valid = false;  ///< shortest form, no surrogate, at most U+10FFFF
};
/// The first character of text that is not empty; one byte where that is no UTF-8.
[[nodiscard]] Character first_character(std::string_view text) noexcept;

}  // namespace sotto::analyzer
