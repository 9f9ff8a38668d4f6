// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <chrono>
#include <cstdint>

namespace sotto::analyzer {

/// Seconds since 1970.
[[nodiscard]] inline std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace sotto::analyzer
