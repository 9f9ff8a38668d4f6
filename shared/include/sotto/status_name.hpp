// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/status.hpp"

namespace sotto {

/// The name of a status, for a log or a shell; "unknown" for a number that this library does not have. A firmware that does not
/// call it does not carry the text.
[[nodiscard]] const char* status_name(Status status) noexcept;

}  // namespace sotto
