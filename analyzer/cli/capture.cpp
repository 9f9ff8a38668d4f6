// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "capture.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/report.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::cli {

using analyzer::BatchReader;
using analyzer::Error;
using analyzer::Result;

namespace {

bool is_report(std::span<const std::uint8_t> bytes) {
  ReportHeader header;
  return decode_header(bytes, header) == Status::ok;
}

/// `whole`: nothing but reports. Else: a report somewhere between the lengths.
bool is_batch(std::span<const std::uint8_t> bytes, bool whole) {
  BatchReader reader(bytes);
  std::size_t reports = 0, entries = 0;
  for (; const auto entry = reader.next(); ++entries) reports += is_report(*entry) ? 1 : 0;
  return reports > 0 && (!whole || (reports == entries && !reader.torn()));
}

bool is_text(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return std::string_view("0123456789abcdefABCDEF \t\r\n").find(c) != std::string_view::npos; });
}

/// The bytes of hexadecimal digits with blanks between; nothing when there is another character or half a byte.
std::optional<Bytes> from_hex(std::string_view text) {
  Bytes bytes;
  int high = -1;
  for (const char c : text) {
    if (std::string_view(" \t\r\n").find(c) != std::string_view::npos) continue;
    const std::size_t digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    const int value = static_cast<int>(digit % 16);
    if (high >= 0) bytes.push_back(static_cast<std::uint8_t>(high << 4 | value));
    high = high >= 0 ? -1 : value;
  }
  return high >= 0 ? std::nullopt : std::optional(bytes);
}

bool decodes(std::span<const std::uint8_t> bytes) {
  Manifest manifest;
  Round round;
  return decode_manifest(bytes, manifest) == Status::ok || decode_round(bytes, round) == Status::ok ||
         is_batch(bytes, true) || is_report(bytes);
}

Error bad_hex(const std::string& path) {
  return {"capture.bad_hex", "this is not hexadecimal text", path,
          "write two digits for each byte; blanks between are fine"};
}

Result<std::vector<Piece>> from_text(const std::string& text, const std::string& path) {
  std::vector<Piece> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::optional<Bytes> bytes = from_hex(std::string_view(text).substr(at, end - at));
    if (bytes && !bytes->empty()) lines.push_back({kind_of(*bytes), std::move(*bytes)});
    at = end + 1;
  }
  std::optional<Bytes> joined = from_hex(text);
  const auto whole = [](const Piece& piece) { return decodes(piece.bytes); };
  const CaptureKind kind = joined ? kind_of(*joined) : CaptureKind::unknown;
  const bool one_object = joined && decodes(*joined) && kind != CaptureKind::report;
  // Two short reports on two lines could be read as one long one: lines that stand for themselves come first.
  if (!lines.empty() && (std::ranges::all_of(lines, whole) || (!one_object && whole(lines.front())))) return lines;
  if (!joined) return bad_hex(path);
  return std::vector<Piece>{{kind, std::move(*joined)}};
}

}  // namespace

std::string_view kind_name(CaptureKind kind) {
  switch (kind) {
    case CaptureKind::manifest: return "manifest";
    case CaptureKind::round: return "round";
    case CaptureKind::report: return "report";
    case CaptureKind::batch: return "batch";
    case CaptureKind::unknown: break;
  }
  return "unknown";
}

CaptureKind kind_of(std::span<const std::uint8_t> bytes) {
  const auto begins = [bytes](std::string_view magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
  };
  if (begins("SOTM")) return CaptureKind::manifest;
  if (begins("SOTR")) return CaptureKind::round;
  // A batch first, even one with a bad report in it: a plain vote's length looks like the beginning of a report.
  if (is_batch(bytes, true) || is_batch(bytes, false)) return CaptureKind::batch;
  return is_report(bytes) ? CaptureKind::report : CaptureKind::unknown;
}

Result<std::vector<Piece>> read_capture(const std::string& path, bool hex) {
  Result<std::string> read = read_file(path);
  if (!read) return read.error();
  const std::string& text = read.value();
  if (text.empty()) return Error{"capture.empty", "there are no bytes", path, "name a file with captured bytes"};
  if (hex || is_text(text)) return from_text(text, path);
  Bytes bytes(text.begin(), text.end());
  const CaptureKind kind = kind_of(bytes);
  return std::vector<Piece>{{kind, std::move(bytes)}};
}

}  // namespace sotto::cli
