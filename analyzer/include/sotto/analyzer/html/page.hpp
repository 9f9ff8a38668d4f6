// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// A whole document around a body: one file, no scripts, nothing fetched, no form that sends, no other base, light and
/// dark, printable.
[[nodiscard]] std::string page(std::string_view title, const Html& body);

}  // namespace sotto::analyzer::html
