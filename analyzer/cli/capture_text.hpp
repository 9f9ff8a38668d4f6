// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// Nothing but hexadecimal digits and blanks.
[[nodiscard]] bool is_hex_text(std::string_view text);

/// Adds the bytes of hexadecimal digits with blanks between; false when there is another character or half a byte, and
/// what was read before it is then there.
[[nodiscard]] bool append_hex(std::string_view text, Bytes& out);

[[nodiscard]] analyzer::Error bad_hex(const std::string& name);

}  // namespace sotto::cli
