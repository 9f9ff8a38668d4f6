// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

enum class CaptureKind { manifest, round, report, batch, unknown };
[[nodiscard]] std::string_view kind_name(CaptureKind kind);

/// One object of captured bytes.
struct Piece {
  CaptureKind kind = CaptureKind::unknown;
  Bytes bytes;
};

/// What these bytes are, from themselves alone. A batch is known by a report behind its length, somewhere.
[[nodiscard]] CaptureKind kind_of(std::span<const std::uint8_t> bytes);

/// The objects of a file: raw bytes are one object; hexadecimal text is one object on each line, or one that fills all lines.
/// With `hex` it must be text.
/// Refuses   io.cannot_read; capture.empty; capture.bad_hex.
[[nodiscard]] analyzer::Result<std::vector<Piece>> read_capture(const std::string& path, bool hex);

}  // namespace sotto::cli
