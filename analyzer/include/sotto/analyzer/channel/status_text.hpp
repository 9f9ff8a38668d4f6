// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/status_name.hpp"

namespace sotto::analyzer {

/// What somebody who sees it should do.
[[nodiscard]] std::string_view status_fix(Status status);

}  // namespace sotto::analyzer
