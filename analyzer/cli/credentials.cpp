// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "credentials.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/sha256.hpp"

namespace sotto::cli {
namespace {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

constexpr std::string_view k_head_without_checks = "id,pseudonym,key\n";
constexpr std::size_t k_pseudonym_digits = 16, k_key_digits = 64, k_check_digits = 16;

std::string check_of(std::string_view line) {
  Digest digest;
  sha256({reinterpret_cast<const std::uint8_t*>(line.data()), line.size()}, digest);
  return analyzer::hex_text(digest).substr(0, k_check_digits);
}

/// Splits a line at its commas; false for a line that no release wrote.
bool read_line(std::string_view line, bool has_check, Credential& out) {
  if (has_check) {
    if (line.size() < k_check_digits + 1) return false;
    const std::string_view before = line.substr(0, line.size() - k_check_digits - 1);
    if (line[before.size()] != ',' || line.substr(before.size() + 1) != check_of(before)) return false;
    line = before;
  }
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos || line.size() != comma + 1 + k_pseudonym_digits + 1 + k_key_digits) return false;
  const std::string_view digits = line.substr(comma + 1, k_pseudonym_digits);
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), out.pseudonym, 16);
  out.id = line.substr(0, comma);
  out.key = line.substr(comma + 1 + k_pseudonym_digits + 1);
  return status == std::errc() && end == digits.data() + digits.size() && line[comma + 1 + k_pseudonym_digits] == ',';
}

}  // namespace

std::string credential_line(std::string_view id, std::uint64_t pseudonym, std::string_view key) {
  const std::string line = fmt::format("{},{},{}", id, analyzer::pseudonym_text(pseudonym), key);
  return fmt::format("{},{}\n", line, check_of(line));
}

Result<bool> each_credential(std::string_view text, const std::string& path, std::string_view foreign,
                             const std::function<Result<Done>(const Credential&, std::size_t line)>& visit) {
  const bool has_checks = text.starts_with(k_credentials_head);
  if (!has_checks && !text.starts_with(k_head_without_checks)) {
    return Error{foreign, fmt::format("{} holds no credentials: it has not their head", path), "",
                 "name the file that `sotto enrol` wrote; another one is never overwritten"};
  }
  std::size_t number = 1;
  for (std::size_t at = text.find('\n') + 1; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    Credential credential;
    ++number;
    if (!read_line(text.substr(at, end - at), has_checks, credential)) {
      return Error{"credentials.damaged", fmt::format("{}:{}: this line is not as it was written", path, number), "",
                   "put the file back from a copy; every line has a check that covers it"};
    }
    if (const auto visited = visit(credential, number); !visited) return visited.error();
    at = end + 1;
  }
  return has_checks;
}

}  // namespace sotto::cli
