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

}  // namespace sotto::analyzer::html
