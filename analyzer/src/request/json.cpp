// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/json.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/text/printable.hpp"

namespace sotto::analyzer::request {
namespace {

/// A copy whose keys and strings are valid UTF-8; the JSON writer throws on anything else.
Json with_valid_strings(const Json& value) {
  if (value.is_string()) return valid_utf8(value.get_ref<const std::string&>());
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& element : value) out.push_back(with_valid_strings(element));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [key, element] : value.items()) out[valid_utf8(key)] = with_valid_strings(element);
  return out;
}

std::string unicode_escape(char32_t c) {
  const auto unit = static_cast<std::uint32_t>(c);
  if (unit < 0x10000) return fmt::format("\\u{:04x}", unit);
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((unit - 0x10000) >> 10), 0xdc00 + ((unit - 0x10000) & 0x3ff));
}

/// The text of an object; an indent of -1 lays it out in one line.
std::string printable_json(const Json& object, int indent) {
  std::string dumped;
  try {
    dumped = object.dump(indent);
  } catch (const Json::type_error&) {  // a string that is not UTF-8: rare, so that the copy is affordable
    dumped = with_valid_strings(object).dump(indent);
  }
  std::string out;
  out.reserve(dumped.size() + 1);
  for (std::string_view left = dumped; !left.empty();) {
    const Character c = first_character(left);
    // Characters beyond ASCII occur only inside strings; line feeds belong to the layout, since those of strings are
    // escaped.
    if (c.value >= 0x7f && is_steering(c.value))
      out += unicode_escape(c.value);
    else
      out += left.substr(0, c.bytes);
    left.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace

std::string json_text(const Json& object) { return printable_json(object, 2) + "\n"; }

std::string json_line(const Json& object) { return printable_json(object, -1); }

}  // namespace sotto::analyzer::request
