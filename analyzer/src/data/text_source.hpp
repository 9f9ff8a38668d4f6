// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <zlib.h>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Reads the text of a file in pieces; gzip is recognised by its first bytes and decompressed.
class TextSource {
 public:
  /// `-` is stdin.
  /// Refuses   io.cannot_read.
  [[nodiscard]] static Result<TextSource> open(const std::filesystem::path& file);

  /// Text in memory, which `name` stands for in messages.
  [[nodiscard]] static TextSource of(std::string name, std::string text);

  /// The next piece, valid until the next call; empty at the end.
  /// Refuses   io.cannot_read, io.damaged_gzip.
  [[nodiscard]] Result<std::string_view> read();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept;
    void operator()(z_stream* stream) const noexcept;
  };

  TextSource(std::string name, std::FILE* file);
  TextSource(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}
  [[nodiscard]] Result<std::string_view> packed();
  [[nodiscard]] Result<std::string_view> unpack();
  [[nodiscard]] Error damaged(std::string_view how) const;

  std::string name_;
  std::string text_;  ///< in place of a file
  std::unique_ptr<std::FILE, Close> file_;
  std::unique_ptr<z_stream, Close> gzip_;  ///< only for gzip
  bool begun_ = false;
  bool between_members_ = false;  ///< the last gzip member is complete
  std::vector<char> in_, out_;
};

}  // namespace sotto::analyzer
