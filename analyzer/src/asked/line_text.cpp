// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "line_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"

namespace sotto::analyzer {
namespace {

/// ASCII only: escape codes in a name cannot control a terminal, and different names cannot look alike.
std::string ascii_text(const LogJson& json) { return json.dump(-1, ' ', true, LogJson::error_handler_t::replace); }

}  // namespace

std::string first_log_line(const IssuerKey& key) {
  return ascii_text({{"log", k_asked_log_name}, {"public_key", hex_text(key)}}) + "\n";
}

std::string hashed_text(const AskedEntry& entry, std::size_t line, const Digest& before) {
  LogJson json = {{"line", line}, {"previous", hex_text(before)}};
  if (!entry.time.empty()) json["time"] = entry.time;
  json["kind"] = entry.is_round ? "round" : "manifest";
  json["name"] = entry.name;
  json["study"] = hex_text(entry.study);
  json["unit"] = entry.unit;
  json["epsilon_nano"] = entry.epsilon_nano;
  json["delta"] = entry.delta;
  json["answers"] = entry.answers;
  json["question"] = entry.question;
  if (entry.is_round) {
    json["round"] = entry.round;
    json["round_digest"] = hex_text(entry.digest);
  }
  json["body"] = hex_text(entry.body);
  json["signature"] = hex_text(entry.signature);
  std::string text = ascii_text(json);
  text.pop_back();  // the closing brace, which follows hash and seal
  return text;
}

Digest line_hash(std::string_view text) {
  Digest out;
  sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, out);
  return out;
}

std::vector<std::uint8_t> sealed_text(const Digest& hash) {
  std::vector<std::uint8_t> out(k_asked_log_name.size() + hash.size());
  std::ranges::copy(hash, std::ranges::copy(k_asked_log_name, out.begin()).out);
  return out;
}

std::string finished_line(std::string hashed, const Digest& hash, std::span<const std::uint8_t> seal) {
  return std::move(hashed) + fmt::format(R"(,"hash":"{}","seal":"{}"}})", hex_text(hash), hex_text(seal)) + "\n";
}

std::string log_line(AskedEntry& entry, std::size_t lines, const Digest& head, const SigningKey& key) {
  std::string text = hashed_text(entry, lines + 1, head);
  entry.hash = line_hash(text);
  return finished_line(std::move(text), entry.hash, key.sign(sealed_text(entry.hash)));
}

std::optional<std::vector<std::uint8_t>> unhex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::vector<std::uint8_t> out;
  out.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<std::uint8_t>(16 * high + low));
  }
  return out;
}

}  // namespace sotto::analyzer
