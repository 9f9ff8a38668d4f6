// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// The whole of a file; `-` is stdin.
/// Refuses   io.cannot_read.
[[nodiscard]] analyzer::Result<std::string> read_file(const std::string& path);

/// Writes a whole file: beside it first, then renamed, so that nobody sees half of it.
/// Refuses   io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::Done> write_file(const std::filesystem::path& path, std::string_view text);

/// The same for what only its owner may read.
[[nodiscard]] analyzer::Result<analyzer::Done> write_secret_file(const std::filesystem::path& path,
                                                                 std::string_view text);

/// Creates a directory and its parents.
/// Refuses   io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::Done> make_directory(const std::filesystem::path& path);

}  // namespace sotto::cli
