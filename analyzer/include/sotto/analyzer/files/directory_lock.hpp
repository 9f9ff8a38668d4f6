// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Keeps other processes out of a directory.

#include <filesystem>
#include <utility>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// An advisory lock on a directory: other processes that take it are kept out during its lifetime.
class DirectoryLock {
 public:
  /// Refuses   io.cannot_read; store.busy: another process holds it.
  [[nodiscard]] static Result<DirectoryLock> take(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(int file) : file_(file) {}
  int file_;
};

}  // namespace sotto::analyzer
