// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The name of a status as text, for a log or a shell.

#include "sotto/status.hpp"

namespace sotto {

/// The name of a status, for example "over_total_cap"; "unknown" for any other number. The text is linked only into a
/// firmware that calls this.
[[nodiscard]] const char* status_name(Status status) noexcept;

}  // namespace sotto
