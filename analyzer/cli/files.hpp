// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// File access of the command line: whole files, directories and directory locks.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

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

/// An advisory lock on a directory: other processes that take it are kept out during its lifetime.
class DirectoryLock {
 public:
  /// Refuses   io.cannot_read; store.busy: another process holds it.
  [[nodiscard]] static analyzer::Result<DirectoryLock> take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(int file) : file_(file) {}
  int file_;
};

}  // namespace sotto::cli
