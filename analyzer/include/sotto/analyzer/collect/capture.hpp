// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads captured bytes (manifests, rounds, reports and batches, raw or in hexadecimal) from files or stdin, for `sotto
/// decode` and `sotto estimate`.

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/collect/study_directory.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/credential.hpp"

namespace sotto::analyzer {

enum class CaptureKind { manifest, round, report, batch, unknown };

/// How captured bytes are read.
struct CaptureReading {
  bool hex = false;    ///< the input must be hexadecimal text
  bool lines = false;  ///< every line of text that is not blank is an entry of its own; lines are never joined
  std::optional<std::uint32_t> study;  ///< the first four bytes of the study's digest, as reports name it
};

/// Recognises the kind of object from its bytes. Bytes are a batch if they contain a report preceded by its length. A
/// plain report can look like that, too, and a batch like a report: the one that names the study is right.
[[nodiscard]] CaptureKind kind_of(std::span<const std::uint8_t> bytes, std::optional<std::uint32_t> study = {});

/// One captured object; a batch is split into its reports.
struct Captured {
  CaptureKind kind = CaptureKind::unknown;  ///< never a batch
  std::span<const std::uint8_t> bytes;      ///< valid until the callback returns
  bool is_cut_off = false;                  ///< the batch ended in the middle of this report
};

/// Captured bytes. Raw bytes are one object or a batch; hexadecimal text is one object on each line, or, unless `lines`
/// is set, one object over all lines. With `lines`, bytes that are no batch and no report are text if they have no
/// control characters, or if most of them are in lines of hexadecimal digits. A file of raw bytes is read in pieces whenever its objects are visited, so that its size costs no memory.
/// Text, and input that cannot be read twice such as stdin, is kept in memory within a limit.
class Capture {
 public:
  /// `-` is stdin.
  /// Refuses   io.cannot_read; capture.empty; capture.bad_hex; capture.too_large: text above 16 MiB, stdin above 64
  ///           MiB.
  [[nodiscard]] static Result<Capture> open(const std::string& path, const CaptureReading& reading);
  /// The same from bytes in memory; `name` is used in messages.
  [[nodiscard]] static Result<Capture> of(Bytes bytes, const std::string& name, const CaptureReading& reading);

  /// Visits all objects in order, until `take` returns false.
  /// Refuses   io.cannot_read.
  [[nodiscard]] Result<Done> each(const std::function<bool(const Captured&)>& take) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept;
  };
  struct Piece {
    CaptureKind kind;
    std::size_t first, size;  ///< range in bytes_
  };
  using Pieces = std::function<bool(std::span<const std::uint8_t>)>;

  [[nodiscard]] Result<Done> each_piece(const Pieces& take) const;
  [[nodiscard]] Result<Done> each_of_batch(const std::function<bool(const Captured&)>& take) const;
  [[nodiscard]] Result<bool> is_text() const;
  [[nodiscard]] Result<bool> is_mixed_text() const;
  [[nodiscard]] Result<Bytes> whole(std::size_t most) const;
  [[nodiscard]] Result<CaptureKind> find_kind() const;
  [[nodiscard]] Result<Done> take_raw();
  [[nodiscard]] Result<Done> take_text(std::string_view text);
  void take_lines(std::string_view text);

  std::string name_;
  CaptureReading reading_;
  std::unique_ptr<std::FILE, Close> file_;  ///< the file of raw bytes; empty if they are in bytes_
  Bytes bytes_;
  bool is_batch_ = false;
  std::vector<Piece> pieces_;  ///< unused for a batch
};

/// Reads files into batches for a collector of the study with this digest. What is no report, a line of text, the end
/// of a batch that was cut off or the bytes of a file, becomes one unreadable report, so that it is counted as
/// malformed.
/// Refuses   what Capture refuses.
[[nodiscard]] Result<std::vector<Bytes>> read_batches(const std::vector<std::string>& files, const Digest& study);
/// The same of bytes in memory; `name` is used in messages.
/// Refuses   what Capture refuses.
[[nodiscard]] Result<std::vector<Bytes>> batches_of(Bytes bytes, const std::string& name, const Digest& study);
/// Reports of `size` bytes each, one behind the other, in batches.
[[nodiscard]] std::vector<Bytes> batches_of_reports(std::span<const std::uint8_t> reports, std::size_t size);

}  // namespace sotto::analyzer
