// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

enum class CaptureKind { manifest, round, report, batch, unknown };
[[nodiscard]] std::string_view kind_name(CaptureKind kind);

/// What these bytes are, from themselves alone. A batch is known by a report behind its length, somewhere.
[[nodiscard]] CaptureKind kind_of(std::span<const std::uint8_t> bytes);

/// One object of captured bytes; of a batch each of its reports.
struct Captured {
  CaptureKind kind = CaptureKind::unknown;  ///< never a batch
  std::span<const std::uint8_t> bytes;      ///< until the callback returns
  bool is_cut_off = false;                  ///< the end of a batch, in the middle of a report
};

/// Captured bytes: raw bytes are one object or a batch; hexadecimal text is one object on each line, or one that fills
/// all lines. A file of raw bytes is read piece by piece whenever its objects are asked for, so that its size costs no
/// memory. Text, and what cannot be read twice such as stdin, is kept in memory, and bounded.
class Capture {
 public:
  /// `-` is stdin. With `hex` it must be text.
  /// Refuses   io.cannot_read; capture.empty; capture.bad_hex; capture.too_large: text above 16 MiB, stdin above 64
  ///           MiB.
  [[nodiscard]] static analyzer::Result<Capture> open(const std::string& path, bool hex);
  /// The same from bytes in memory; `name` is for messages.
  [[nodiscard]] static analyzer::Result<Capture> of(Bytes bytes, const std::string& name, bool hex);

  /// All objects in their order, until `take` says false.
  /// Refuses   io.cannot_read.
  [[nodiscard]] analyzer::Result<analyzer::Done> each(const std::function<bool(const Captured&)>& take) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept;
  };
  struct Piece {
    CaptureKind kind;
    std::size_t first, size;  ///< in bytes_
  };
  using Pieces = std::function<bool(std::span<const std::uint8_t>)>;

  [[nodiscard]] analyzer::Result<analyzer::Done> each_piece(const Pieces& take) const;
  [[nodiscard]] analyzer::Result<analyzer::Done> each_of_batch(const std::function<bool(const Captured&)>& take) const;
  [[nodiscard]] analyzer::Result<bool> is_text() const;
  [[nodiscard]] analyzer::Result<Bytes> whole(std::size_t most) const;
  [[nodiscard]] analyzer::Result<CaptureKind> find_kind() const;
  [[nodiscard]] analyzer::Result<analyzer::Done> take_raw();
  [[nodiscard]] analyzer::Result<analyzer::Done> take_text(std::string_view text);

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;  ///< of raw bytes; none when they are in bytes_
  Bytes bytes_;
  bool is_batch_ = false;
  std::vector<Piece> pieces_;  ///< unless it is a batch
};

}  // namespace sotto::cli
