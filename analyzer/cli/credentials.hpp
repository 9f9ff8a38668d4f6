// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The issuer's file of credentials: which device was given which pseudonym and key. `sotto enrol` writes it, `sotto
/// design` reads it.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// The first line of the CSV file; every further line is a credential. The check is the first 16 hexadecimal digits of
/// the SHA-256 of the line before it, so that a changed bit cannot give a device another's row or key. Files of earlier
/// releases have no check and a first line with three columns.
inline constexpr std::string_view k_credentials_head = "id,pseudonym,key,check\n";

/// Size limit of the file: as many credentials as `enrol` issues at a time, with long ids.
inline constexpr std::size_t k_credentials_max = std::size_t{1} << 35;

struct Credential {
  std::string id;  ///< as given to `enrol`; empty for an unnamed device
  std::uint64_t pseudonym = 0;
  std::string_view key;  ///< 64 hexadecimal digits, valid during the visit
};

/// A line of the file, including its line feed.
[[nodiscard]] std::string credential_line(std::string_view id, std::uint64_t pseudonym, std::string_view key);

/// Visits the credentials of a file's text in order, until one is refused. Returns whether every line had a check.
/// Refuses   `foreign`: the text is not a file of credentials; credentials.damaged: a line, given by its number, is not
///           as it was written; what visit refuses.
[[nodiscard]] analyzer::Result<bool> each_credential(
    std::string_view text, const std::string& path, std::string_view foreign,
    const std::function<analyzer::Result<analyzer::Done>(const Credential&, std::size_t line)>& visit);

}  // namespace sotto::cli
