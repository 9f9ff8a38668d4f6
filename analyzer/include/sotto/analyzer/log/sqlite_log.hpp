// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The log in one SQLite file, for processes of one machine.

#include <filesystem>
#include <memory>

#include "sotto/analyzer/log/shared_log.hpp"

namespace sotto::analyzer {

/// Opens or creates it. What it acknowledged survives a power cut.
/// Refuses   io.*; store.*.
[[nodiscard]] Result<std::unique_ptr<SharedLog>> open_sqlite_log(const std::filesystem::path& path);

}  // namespace sotto::analyzer
