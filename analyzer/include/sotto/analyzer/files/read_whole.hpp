// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <string>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The whole of a file. A disk that fails on the way is an error, never the end of the file: half of it would be taken for all.
/// Refuses   io.cannot_read.
[[nodiscard]] Result<std::string> read_whole(const std::filesystem::path& path);

/// The same of stdin.
[[nodiscard]] Result<std::string> read_whole_stdin();

/// Is something there, whatever it is? Only "there is no such thing" is a no.
/// Refuses   io.cannot_read: it cannot be told, as behind a loop of links or a directory that may not be searched.
[[nodiscard]] Result<bool> is_there(const std::filesystem::path& path);

}  // namespace sotto::analyzer
