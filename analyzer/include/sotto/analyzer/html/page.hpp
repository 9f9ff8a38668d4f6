// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

namespace sotto::analyzer::html {

/// Text as it may stand between tags and inside quoted attributes.
[[nodiscard]] std::string escape(std::string_view text);

/// A whole document around a body that is HTML already: one file, no scripts, nothing fetched, light and dark,
/// printable.
[[nodiscard]] std::string page(std::string_view title, std::string_view body);

}  // namespace sotto::analyzer::html
