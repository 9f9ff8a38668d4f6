// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parsing of hexadecimal text for captured bytes.

#include <cstdint>
#include <string>
#include <string_view>

#include "sotto/analyzer/collect/study_directory.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Whether the text consists of hexadecimal digits and blanks only.
[[nodiscard]] bool is_hex_text(std::string_view text);

/// Counts the bytes of lines of hexadecimal digits and of other lines, piece by piece.
class LineCount {
 public:
  void add(std::string_view piece);
  /// Whether the bytes so far are text: none of them is a control character, or most are in lines of hexadecimal digits.
  [[nodiscard]] bool is_text() const;

 private:
  bool is_plain_ = true, line_is_hex_ = true;
  std::uint64_t line_ = 0, hex_ = 0, other_ = 0;  ///< bytes of the line that is open, and of the lines before it
};

/// Appends the bytes of hexadecimal digits, between which blanks may stand. Returns false at another character or at
/// half a byte; the bytes before it have then been appended.
[[nodiscard]] bool append_hex(std::string_view text, Bytes& out);

[[nodiscard]] Error bad_hex(const std::string& name);

}  // namespace sotto::analyzer
