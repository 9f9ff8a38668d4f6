// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "nesting.hpp"

#include <algorithm>

namespace sotto::analyzer {
namespace {

/// The position after the string that begins at `at`. A single-line string ends with its line at the latest, as in
/// every parser.
std::size_t behind_toml_string(std::string_view text, std::size_t at) noexcept {
  const char quote = text[at];
  const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
  const bool is_long = text.substr(at, 3) == triple, has_escapes = quote == '"';
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (has_escapes && text[at] == '\\') {
      ++at;  // an escaped character does not close the string
      if (at < text.size() && text[at] == '\n' && !is_long) return at;
    } else if (is_long && text.substr(at, 3) == triple) {
      at += 3;
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more)
        ++at;  // up to two quotes may precede the closing ones
      return at;
    } else if (!is_long && text[at] == '\n') {
      return at;
    } else if (!is_long && text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

TooDeep place(std::string_view text, std::size_t at) noexcept {
  return {1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'))};
}

}  // namespace

std::optional<TooDeep> toml_too_deep(std::string_view text, std::size_t deepest) noexcept {
  std::size_t open = 0, dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    switch (text[at]) {
      case '"':
      case '\'': at = behind_toml_string(text, at); continue;
      case '#': at = std::min(text.find('\n', at), text.size()); continue;
      case '[':
      case '{':
        ++open;
        dots = 0;
        break;
      case ']':
      case '}':
        open -= open > 0 ? 1 : 0;
        dots = 0;
        break;
      case '\n':
      case ',':
      case '=': dots = 0; break;
      case '.': ++dots; break;  // also the decimal point of a number, of which there is one
      default: break;
    }
    if (open > deepest || dots >= deepest) return place(text, at);
    ++at;
  }
  return std::nullopt;
}

std::optional<TooDeep> json_too_deep(std::string_view text, std::size_t deepest) noexcept {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      at += c == '\\' ? 1 : 0;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++open > deepest) return place(text, at);
    } else if (c == ']' || c == '}') {
      open -= open > 0 ? 1 : 0;
    }
  }
  return std::nullopt;
}

}  // namespace sotto::analyzer
