// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/text/printable.hpp"

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

enum class Keep { letters, lines, everything };

bool stays(char32_t c, Keep keep) {
  if (keep == Keep::everything) return true;
  return !is_steering(c) || (keep == Keep::lines && (c == U'\n' || c == U'\t'));
}

std::string written(std::string_view text, Keep keep) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (!c.is_valid) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (stays(c.value, keep)) {
      out += text.substr(0, c.bytes);
    } else if (c.value < 0x100) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c.value));
    } else {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.value));
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace

bool is_steering(char32_t c) noexcept {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || within(0x7f, 0x9f)                          // C0, delete, C1
         || c == 0x061c || within(0x200e, 0x200f)                // direction marks
         || within(0x2028, 0x202e)                               // line separators, embeddings and overrides
         || within(0x2060, 0x206f)                               // invisible operators, isolates, old format characters
         || c == 0xad || c == 0x180e || c == 0x200b              // invisible hyphens and spaces
         || c == 0xfeff || within(0xfff9, 0xfffb)                // byte order mark, annotations
         || within(0xe0000, 0xe0fff)                             // tags, which can carry invisible text
         || (c & 0xfffeu) == 0xfffeu || within(0xfdd0, 0xfdef);  // noncharacters
}

Character first_character(std::string_view text) noexcept {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char head = byte(0);
  if (head < 0x80) return {head, 1, true};
  const std::size_t bytes = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4 || text.size() < bytes) return {0, 1, false};
  char32_t value = head & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {0, 1, false};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t k_min[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < k_min[bytes] || is_surrogate || value > 0x10ffff) return {0, 1, false};
  return {value, bytes, true};
}

std::string_view first_letters(std::string_view text, std::size_t bytes) noexcept {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + first_character(text.substr(end)).bytes;
    if (next > bytes) break;
    end = next;
  }
  return text.substr(0, end);
}

std::string printable(std::string_view text) { return written(text, Keep::letters); }

std::string printable_lines(std::string_view text) { return written(text, Keep::lines); }

std::string valid_utf8(std::string_view text) { return written(text, Keep::everything); }

}  // namespace sotto::analyzer
