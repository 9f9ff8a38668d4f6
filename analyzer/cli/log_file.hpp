// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The file of the log of signed questions (asked/asked_log.hpp): locked opening, durable appending, and repair.

#include <filesystem>
#include <string>
#include <utility>

#include "sotto/analyzer/asked/asked_log.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// A log file, locked during the object's lifetime: other processes wait.
class LogFile {
 public:
  enum class Wait { yes, no };
  /// Of this key; begun where there is none. Everything in it was read and checked. Whoever holds a log already does
  /// not wait for a second one: two processes that hold each other's would wait for ever.
  /// Refuses   io.cannot_read, io.cannot_write; store.busy; log.torn; log.damaged: names the line; log.other_key.
  [[nodiscard]] static analyzer::Result<LogFile> open(const std::filesystem::path& path, const analyzer::IssuerKey& key,
                                                      Wait wait = Wait::yes);
  LogFile(LogFile&& other) noexcept
      : path_(std::move(other.path_)), log_(std::move(other.log_)), file_(std::exchange(other.file_, -1)) {}
  LogFile& operator=(LogFile&&) = delete;
  ~LogFile();

  [[nodiscard]] const analyzer::AskedLog& log() const noexcept { return log_; }
  /// Appends an entry, which is on the disk when this returns. An interrupted write leaves an incomplete last line.
  /// Refuses   io.cannot_write: nothing was added.
  [[nodiscard]] analyzer::Result<analyzer::Done> append(analyzer::AskedEntry entry, const analyzer::SigningKey& key);

 private:
  LogFile(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}
  [[nodiscard]] analyzer::Result<analyzer::Done> write(const std::string& text);
  std::filesystem::path path_;
  analyzer::AskedLog log_;
  int file_;
};

/// Removes an incomplete last line from the log and keeps it in LOG.torn. Returns its number of bytes, 0 if there was
/// none.
/// Refuses   io.*; log.damaged: the log has other defects too.
[[nodiscard]] analyzer::Result<std::size_t> repair_log(const std::filesystem::path& path);

}  // namespace sotto::cli
