// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// File access of the command line: whole files, directories and directory locks.

#include <filesystem>
#include <string>
#include <string_view>

#include "sotto/analyzer/files/directory_lock.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Reads a whole file; `-` is stdin.
/// Refuses   io.cannot_read; io.too_large: more than `most` bytes.
[[nodiscard]] analyzer::Result<std::string> read_file(const std::string& path,
                                                      std::size_t most = analyzer::k_whole_max);

/// Replaces a whole file: writes a temporary file and renames it, so that nobody sees half of it.
/// Refuses   io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::Done> write_file(const std::filesystem::path& path, std::string_view text);

/// Replaces what was learned and the page that shows it. A cut at any point leaves the old two, the new two, or one of the first without a page:
/// never a page of something else. From the moment that the first is in place `told` is what Interrupt::tell_at_end() says.
/// Refuses   io.cannot_write; where there is no room for both, nothing has changed.
[[nodiscard]] analyzer::Result<analyzer::Done> write_with_page(const std::filesystem::path& path, std::string_view text,
                                                               const std::filesystem::path& page, std::string_view html,
                                                               const char* told = nullptr);

/// Creates a directory and its parents.
/// Refuses   io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::Done> make_directory(const std::filesystem::path& path);

using analyzer::DirectoryLock;

}  // namespace sotto::cli
