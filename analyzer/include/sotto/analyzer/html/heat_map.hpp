// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A table of shares as a picture: the darker a cell, the larger its share.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// The cells of rows and columns as inline SVG. `share` gives the share of a cell, 0 to 1; where a cell is wide enough
/// its percentage stands in it. Names that do not fit are cut.
[[nodiscard]] Html heat_map(std::span<const std::string> rows, std::span<const std::string> columns,
                            const std::function<double(std::size_t, std::size_t)>& share, std::string_view title,
                            std::string_view description);

}  // namespace sotto::analyzer::html
