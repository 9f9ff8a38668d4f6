// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "forms.hpp"

#include <nlohmann/json.hpp>

namespace sotto::analyzer {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string form_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<std::uint8_t> bytes_of_hex(std::string_view text) {
  std::vector<std::uint8_t> out(text.size() / 2);
  const auto digit = [](char c) { return std::string_view("0123456789abcdef").find(c); };
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    out[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return text.size() % 2 == 0 ? out : std::vector<std::uint8_t>();
}

bool is_form(const Request& request) { return request.content_type.starts_with("application/x-www-form-urlencoded"); }

std::optional<std::string> body_field(const Request& request, std::string_view name) {
  // A script that names no type sends JSON under that of forms, as curl does; no form begins with a brace.
  if (is_form(request) && !request.body.starts_with('{')) {
    const std::string_view body = request.body;
    for (std::size_t at = 0; at < body.size();) {
      const std::size_t end = std::min(body.find('&', at), body.size());
      const std::string_view pair = body.substr(at, end - at);
      const std::size_t equals = pair.find('=');
      if (equals != std::string_view::npos && pair.substr(0, equals) == name) return form_text(pair.substr(equals + 1));
      at = end + 1;
    }
    return std::nullopt;
  }
  // Deep nesting would exhaust the parser's stack; a field needs one level.
  if (request.body.size() > 4096) return std::nullopt;
  const auto json = nlohmann::json::parse(request.body, nullptr, false);
  if (!json.is_object() || !json.contains(name)) return std::nullopt;
  const auto& field = json[std::string(name)];
  if (field.is_string()) return field.get<std::string>();
  if (field.is_number_unsigned()) return std::to_string(field.get<std::uint64_t>());
  return std::nullopt;
}

}  // namespace sotto::analyzer
