// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The remedy for each status with which the device library refuses.

#include <string_view>

#include "sotto/status_name.hpp"

namespace sotto::analyzer {

/// The remedy for a status, as text for an analyst or a firmware developer.
[[nodiscard]] std::string_view status_fix(Status status);

}  // namespace sotto::analyzer
