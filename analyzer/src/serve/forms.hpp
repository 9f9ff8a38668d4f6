// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include "message.hpp"

namespace sotto::analyzer {

/// A field of a request's body, which is a form or a JSON object; empty if there is none.
[[nodiscard]] std::optional<std::string> body_field(const Request& request, std::string_view name);
/// Whether a form was sent by a page, which wants to be shown a page again.
[[nodiscard]] bool is_form(const Request& request);

}  // namespace sotto::analyzer
