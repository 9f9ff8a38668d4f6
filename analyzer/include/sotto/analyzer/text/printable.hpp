// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Makes untrusted text safe to print. Names, file names, keys and cells come from other people; everything that quotes
/// them passes them through here, so that text can neither control a terminal, nor reverse the order of the text beside
/// it, nor break the encoding of the output that contains it.

#include <string>
#include <string_view>

namespace sotto::analyzer {

/// Text on one line, as valid UTF-8. Control characters, line breaks, invisible characters, characters that change the
/// writing direction, and bytes that are not UTF-8 are written as escapes such as `\x1b`, `\u202e`, `\xff`; letters of
/// all scripts are unchanged.
[[nodiscard]] std::string printable(std::string_view text);

/// The same for text of several lines: line feeds and tabs are kept.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Valid UTF-8 with everything else unchanged, for formats that have an escape of their own, such as JSON. A byte that
/// is not UTF-8 is written as `\xff`.
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// The longest prefix of valid UTF-8 text within this many bytes, cut between two characters.
[[nodiscard]] std::string_view first_letters(std::string_view text, std::size_t bytes) noexcept;

/// Whether a Unicode character controls the display instead of being visible.
[[nodiscard]] bool is_steering(char32_t character) noexcept;

/// One decoded character.
struct Character {
  char32_t value = 0;     ///< set if is_valid
  std::size_t bytes = 0;  ///< at least 1
  bool is_valid = false;  ///< shortest form, no surrogate, at most U+10FFFF
};
/// The first character of text that is not empty; one byte if it is not valid UTF-8.
[[nodiscard]] Character first_character(std::string_view text) noexcept;

}  // namespace sotto::analyzer
