// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Atomic replacement of files: all results and keys are written to a temporary file first and renamed, so that no
/// reader and no power cut leaves half a file.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Who may read the written file.
enum class Readers : std::uint8_t { as_usual, owner };

/// A file that is replaced as a whole: it is written to NAME.partial and then renamed, so that nobody sees half of
/// it, whatever happens to the process or the disk. The writer holds a lock on the partial file, and other writers
/// wait. What is read between begin() and commit() can therefore not be changed by another ReplacedFile in between.
class ReplacedFile {
 public:
  /// Waits while another process writes the same file. Removes the partial file of a process that was interrupted.
  /// Refuses   io.cannot_write; also where the path is not a regular file but a directory, a link or a device.
  [[nodiscard]] static Result<ReplacedFile> begin(const std::filesystem::path& path,
                                                  Readers readers = Readers::as_usual);
  ReplacedFile(ReplacedFile&& other) noexcept;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  /// Discards the partial file unless commit() was called.
  ~ReplacedFile();

  /// Refuses   io.cannot_write.
  [[nodiscard]] Result<Done> write(std::span<const std::uint8_t> bytes);
  [[nodiscard]] Result<Done> write(std::string_view text);
  /// Syncs and renames: the file is on the disk under its name when this returns.
  /// Refuses   io.cannot_write.
  [[nodiscard]] Result<Done> commit();
  /// The same, but only if no such file exists yet. Returns false if there is one, which stays unchanged.
  [[nodiscard]] Result<bool> commit_new();

 private:
  ReplacedFile(std::filesystem::path path, std::filesystem::path beside, int file);
  [[nodiscard]] Error failed(std::string_view what) const;
  void drop() noexcept;

  std::filesystem::path path_, beside_;
  int file_ = -1;
  int slot_ = -1;  ///< entry in the list that remove_unfinished_files() reads
};

/// Replaces a file by this text.
/// Refuses   io.cannot_write.
[[nodiscard]] Result<Done> replace_file(const std::filesystem::path& path, std::string_view text,
                                        Readers readers = Readers::as_usual);

/// Removes the partial files of all unfinished writes. Safe to call from a signal handler, as the last action before
/// the process ends.
void remove_unfinished_files() noexcept;

}  // namespace sotto::analyzer
