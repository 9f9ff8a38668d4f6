// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The HTML document around the body of a page: head, style sheet and content security policy.

#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// A complete document around a body: one file without scripts, external resources, forms that send or another base
/// address; light and dark; printable.
[[nodiscard]] std::string page(std::string_view title, const Html& body);

/// A page of a server that lives: style sheet and script are files of their own, /style.css and /live.js, and the content
/// security policy is a header of the server.
[[nodiscard]] std::string live_page(std::string_view title, const Html& body);
/// The style sheet of all pages.
[[nodiscard]] std::string_view style_sheet() noexcept;

}  // namespace sotto::analyzer::html
