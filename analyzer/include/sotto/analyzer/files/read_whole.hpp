// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Twice the largest text that is parsed. What has no end, such as a pipe that somebody keeps filling, is let go of here.
inline constexpr std::size_t k_whole_most = std::size_t{1} << 27;

/// The whole of a file. A disk that fails on the way is an error, never the end of the file: half of it would be taken for all.
/// Refuses   io.cannot_read; io.too_large: it has more than `most` bytes.
[[nodiscard]] Result<std::string> read_whole(const std::filesystem::path& path, std::size_t most = k_whole_most);

/// The same of stdin.
[[nodiscard]] Result<std::string> read_whole_stdin(std::size_t most = k_whole_most);

/// Is something there, whatever it is? Only "there is no such thing" is a no.
/// Refuses   io.cannot_read: it cannot be told, as behind a loop of links or a directory that may not be searched.
[[nodiscard]] Result<bool> is_there(const std::filesystem::path& path);

}  // namespace sotto::analyzer
