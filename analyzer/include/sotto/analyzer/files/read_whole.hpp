// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads whole files with a size limit, and tests whether a path exists, with failures reported as errors.

#include <cstddef>
#include <filesystem>
#include <string>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The default size limit, twice the largest text that any parser accepts. It ends the reading of input without an end,
/// such as a pipe that is filled for ever.
inline constexpr std::size_t k_whole_max = std::size_t{1} << 27;

/// Reads a whole file. A disk error is reported as such and never taken for the end of the file.
/// Refuses   io.cannot_read; io.too_large: more than `most` bytes.
[[nodiscard]] Result<std::string> read_whole(const std::filesystem::path& path, std::size_t most = k_whole_max);

/// The same for stdin.
[[nodiscard]] Result<std::string> read_whole_stdin(std::size_t most = k_whole_max);

/// Whether anything exists at this path, of whatever type. False only if the system says that there is no such entry.
/// Refuses   io.cannot_read: existence cannot be determined, for example behind a loop of links or a directory without
///           search permission.
[[nodiscard]] Result<bool> is_there(const std::filesystem::path& path);

}  // namespace sotto::analyzer
