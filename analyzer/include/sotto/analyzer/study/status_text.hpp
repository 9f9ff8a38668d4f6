// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/status.hpp"

namespace sotto::analyzer {

/// The status as it is spelled in the code: "over_cap".
[[nodiscard]] std::string_view status_name(Status status);
/// What somebody who sees it should do.
[[nodiscard]] std::string_view status_fix(Status status);

}  // namespace sotto::analyzer
