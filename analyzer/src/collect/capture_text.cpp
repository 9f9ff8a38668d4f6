// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "capture_text.hpp"

#include <algorithm>

namespace sotto::analyzer {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The value of a hexadecimal digit; -1 for any other character.
int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

bool is_hex_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_blank(c) || digit(c) >= 0; });
}

void LineCount::add(std::string_view piece) {
  for (const char c : piece) {
    const auto byte = static_cast<unsigned char>(c);
    is_plain_ = is_plain_ && (is_blank(c) || (byte >= 0x20 && byte != 0x7f));
    if (c == '\n') {
      (line_is_hex_ ? hex_ : other_) += line_;
      line_ = 0;
      line_is_hex_ = true;
      continue;
    }
    ++line_;
    line_is_hex_ = line_is_hex_ && (is_blank(c) || digit(c) >= 0);
  }
}

bool LineCount::is_text() const {
  const std::uint64_t hex = hex_ + (line_is_hex_ ? line_ : 0), other = other_ + (line_is_hex_ ? 0 : line_);
  return is_plain_ || hex > other;
}

bool append_hex(std::string_view text, Bytes& out) {
  int high = -1;
  for (const char c : text) {
    if (is_blank(c)) continue;
    const int value = digit(c);
    if (value < 0) return false;
    if (high >= 0) out.push_back(static_cast<std::uint8_t>(high << 4 | value));
    high = high >= 0 ? -1 : value;
  }
  return high < 0;
}

Error bad_hex(const std::string& name) {
  return {"capture.bad_hex", "this is not hexadecimal text", name,
          "write two digits for each byte; blanks between are fine"};
}

}  // namespace sotto::analyzer
