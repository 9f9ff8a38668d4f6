// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sotto::analyzer {

/// The candidate that is at most two letters away from a mistyped word; empty when there is none.
[[nodiscard]] std::string_view did_you_mean(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace sotto::analyzer
