// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parsing of hexadecimal text for captured bytes.

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// Whether the text consists of hexadecimal digits and blanks only.
[[nodiscard]] bool is_hex_text(std::string_view text);

/// Appends the bytes of hexadecimal digits, between which blanks may stand. Returns false at another character or at
/// half a byte; the bytes before it have then been appended.
[[nodiscard]] bool append_hex(std::string_view text, Bytes& out);

[[nodiscard]] analyzer::Error bad_hex(const std::string& name);

}  // namespace sotto::cli
