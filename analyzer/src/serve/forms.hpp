// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message.hpp"

namespace sotto::analyzer {

/// A field of a request's body, which is a form or a JSON object; empty if there is none.
[[nodiscard]] std::optional<std::string> body_field(const Request& request, std::string_view name);
/// The bytes of hexadecimal text with small letters; empty if it is none.
[[nodiscard]] std::vector<std::uint8_t> bytes_of_hex(std::string_view text);
/// Whether a form was sent by a page, which wants to be shown a page again.
[[nodiscard]] bool is_form(const Request& request);

}  // namespace sotto::analyzer
