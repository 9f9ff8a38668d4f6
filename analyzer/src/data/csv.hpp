// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/text/printable.hpp"
#include "text_source.hpp"

namespace sotto::analyzer {

/// The name of a column as valid UTF-8, which models and pages require. A byte that is not UTF-8 is written as four
/// characters such as \xff, so that different names stay different.
[[nodiscard]] inline std::string column_name(std::string_view field) { return valid_utf8(field); }

/// Records of separated values (RFC 4180; LF or CRLF; a UTF-8 byte order mark is skipped, and so are blank lines). The
/// first record determines whether commas, semicolons or tabs separate fields.
class CsvReader {
 public:
  explicit CsvReader(TextSource source) : source_(std::move(source)) {}

  /// Reads the next record into `fields`, which stay valid until the next call; false at the end.
  /// Refuses   data.open_quote, data.stray_quote, data.long_record, and what TextSource::read refuses.
  [[nodiscard]] Result<bool> next(std::vector<std::string_view>& fields);

  /// The line of the file, counted from 1, in which the last record began.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  [[nodiscard]] const std::string& file() const noexcept { return source_.name(); }
  /// The separator of fields, known after the first record. If it is a semicolon, numbers may have a decimal comma.
  [[nodiscard]] char separator() const noexcept { return separator_; }
  /// An error about the last record: "file:line: what".
  [[nodiscard]] Error refuse(std::string_view code, std::string_view what, std::string_view value,
                             std::string fix) const;

 private:
  [[nodiscard]] Result<bool> find_record(std::string_view& record);
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Result<bool> split_quoted(std::string_view record, std::vector<std::string_view>& fields);

  TextSource source_;
  std::string text_;    ///< text that was read and not yet consumed
  std::size_t at_ = 0;  ///< position of the next record in text_
  bool ended_ = false;  ///< the source is exhausted
  bool begun_ = false;  ///< the byte order mark has been looked for
  bool has_header_ = false;
  char separator_ = ',';
  std::uint64_t line_ = 0, next_line_ = 1;
  std::string unquoted_;  ///< the quoted fields of the last record without their quotes
};

}  // namespace sotto::analyzer
