// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// The issuer's file is CSV: a head, and a line for each credential. The check is the first 16 hexadecimal digits of
/// the SHA-256 of what stands before it in its line, so that a changed bit gives no device another's row or key. A file
/// without checks has the head of three columns, as earlier releases wrote it.
inline constexpr std::string_view k_credentials_head = "id,pseudonym,key,check\n";

/// Of a file with as many credentials as `enroll` issues at a time, with long ids.
inline constexpr std::size_t k_credentials_most = std::size_t{1} << 35;

struct Credential {
  std::string id;  ///< as it was given; empty for one without a name
  std::uint64_t pseudonym = 0;
  std::string_view key;  ///< 64 hexadecimal digits; while it is visited
};

/// A line of the file, with its end.
[[nodiscard]] std::string credential_line(std::string_view id, std::uint64_t pseudonym, std::string_view key);

/// Visits the credentials of a file's text, in their order, until one is refused. True: every line had its check.
/// Refuses   `foreign`: the text is no file of credentials; credentials.damaged: a line is not as it was written, with
///           its number; what visit refuses.
[[nodiscard]] analyzer::Result<bool> each_credential(
    std::string_view text, const std::string& path, std::string_view foreign,
    const std::function<analyzer::Result<analyzer::Done>(const Credential&, std::size_t line)>& visit);

}  // namespace sotto::cli
