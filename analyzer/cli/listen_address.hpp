// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// ADDRESS:PORT, as the verbs that serve take it.

#include <cstdint>
#include <string>
#include <utility>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Splits ADDRESS:PORT; an IPv6 address is in brackets.
/// Refuses   usage.
[[nodiscard]] analyzer::Result<std::pair<std::string, std::uint16_t>> read_listen(const std::string& text);

/// A file that may not grow, and a log that nobody reads any more, are errors of a write; by default each ends the
/// process.
void outlive_full_disks();

}  // namespace sotto::cli
