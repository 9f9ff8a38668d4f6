// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Who may read a file that is written.
enum class Readers : std::uint8_t { as_usual, owner };

/// A file that is written whole: beside its place first (`NAME.partial`), then renamed, so that nobody sees half of it, whatever
/// happens to the process or the disk. Whoever writes a file holds a lock on what stands beside it; another one waits. So what is
/// read between begin() and commit() cannot be changed by another ReplacedFile in between.
class ReplacedFile {
 public:
  /// Waits while another process writes the same file. What a process that was cut left beside it is removed.
  /// Refuses   io.cannot_write; also where something else than a file stands: a directory, a link, a device.
  [[nodiscard]] static Result<ReplacedFile> begin(const std::filesystem::path& path,
                                                  Readers readers = Readers::as_usual);
  ReplacedFile(ReplacedFile&& other) noexcept;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  /// Without commit() nothing has changed.
  ~ReplacedFile();

  /// Refuses   io.cannot_write.
  [[nodiscard]] Result<Done> write(std::span<const std::uint8_t> bytes);
  [[nodiscard]] Result<Done> write(std::string_view text);
  /// It is on the disk under its name when this returns.
  /// Refuses   io.cannot_write.
  [[nodiscard]] Result<Done> commit();
  /// The same where there is no such file yet. False: there is one, and it stays.
  [[nodiscard]] Result<bool> commit_new();

 private:
  ReplacedFile(std::filesystem::path path, std::filesystem::path beside, int file);
  [[nodiscard]] Error failed(std::string_view what) const;
  void drop() noexcept;

  std::filesystem::path path_, beside_;
  int file_ = -1;
  int slot_ = -1;  ///< where remove_unfinished_files() finds it
};

/// A whole file at once.
/// Refuses   io.cannot_write.
[[nodiscard]] Result<Done> replace_file(const std::filesystem::path& path, std::string_view text,
                                        Readers readers = Readers::as_usual);

/// Removes what is being written right now. A signal handler may call it, as the last thing before the process ends.
void remove_unfinished_files() noexcept;

}  // namespace sotto::analyzer
