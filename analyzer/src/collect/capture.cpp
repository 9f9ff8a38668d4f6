// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/capture.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "capture_text.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/report.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::size_t k_piece_bytes = std::size_t{1} << 18;
// Limits for input that is kept in memory. A line of text may hold a single byte, which then takes twelve times its
// size.
constexpr std::size_t k_text_max = std::size_t{1} << 24, k_stream_max = std::size_t{1} << 26;
// A manifest is the largest single object; one more byte shows that the bytes are not one.
constexpr std::size_t k_object_max = k_manifest_max_bytes + 1;

bool is_report(std::span<const std::uint8_t> bytes) {
  ReportHeader header;
  return decode_header(bytes, header) == Status::ok;
}

bool is_report_of(std::span<const std::uint8_t> bytes, std::optional<std::uint32_t> study) {
  ReportHeader header;
  return study && decode_header(bytes, header) == Status::ok && header.study_prefix == *study;
}

/// What the bytes hold if they are read as reports that are each preceded by their length.
struct BatchContents {
  std::size_t entries = 0, reports = 0, of_study = 0;
  bool torn = false;

  BatchContents(std::span<const std::uint8_t> bytes, std::optional<std::uint32_t> study) {
    BatchReader reader(bytes);
    for (; const auto entry = reader.next(); ++entries) {
      reports += is_report(*entry) ? 1 : 0;
      of_study += is_report_of(*entry, study) ? 1 : 0;
    }
    torn = reader.torn();
  }
  [[nodiscard]] bool is_whole() const { return reports > 0 && reports == entries && !torn; }
};

std::optional<CaptureKind> kind_by_magic(std::span<const std::uint8_t> bytes) {
  const auto begins = [bytes](std::string_view magic) {
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
  };
  if (begins("SOTM")) return CaptureKind::manifest;
  if (begins("SOTR")) return CaptureKind::round;
  return std::nullopt;
}

bool decodes(std::span<const std::uint8_t> bytes) {
  Manifest manifest;
  Round round;
  return decode_manifest(bytes, manifest) == Status::ok || decode_round(bytes, round) == Status::ok ||
         BatchContents(bytes, {}).is_whole() || is_report(bytes);
}

Error cannot_read(const std::string& name, std::string_view what) {
  return {"io.cannot_read", fmt::format("cannot read the file: {}", what), name, "check its name and permissions"};
}

Error nothing_in(const std::string& name) {
  return {"capture.empty", "the input is empty", name, "name a file with captured bytes"};
}

Error too_large(const std::string& name, std::string_view what, std::size_t most) {
  return {"capture.too_large", fmt::format("{} has at most {} bytes", what, most), name,
          "write raw bytes into a file, which may have any size"};
}

}  // namespace

CaptureKind kind_of(std::span<const std::uint8_t> bytes, std::optional<std::uint32_t> study) {
  if (const auto kind = kind_by_magic(bytes)) return *kind;
  const BatchContents contents(bytes, study);
  // A plain report of round 17 begins like a batch. A batch with a report of the study stays one whatever its first
  // bytes are: whoever sent those could otherwise make one report of all.
  if (contents.of_study == 0 && is_report_of(bytes, study)) return CaptureKind::report;
  // Otherwise batches are recognised first, even those with a bad report: the length of a plain vote looks like the
  // beginning of a report.
  if (contents.reports > 0) return CaptureKind::batch;
  return is_report(bytes) ? CaptureKind::report : CaptureKind::unknown;
}

void Capture::Close::operator()(std::FILE* file) const noexcept {
  if (file != stdin) (void)std::fclose(file);
}

Result<Capture> Capture::open(const std::string& path, const CaptureReading& reading) {
  Capture capture;
  capture.reading_ = reading;
  capture.name_ = path == "-" ? "stdin" : path;
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored))
    return Error{"io.cannot_read", "this is a directory", path, "name a file"};
  capture.file_.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!capture.file_) return cannot_read(path, std::strerror(errno));
  struct stat is {};
  if (::fstat(::fileno(capture.file_.get()), &is) != 0) return cannot_read(path, std::strerror(errno));
  // Only a regular file can be read a second time.
  const bool stays = path != "-" && S_ISREG(is.st_mode);
  const Result<bool> text = stays && !reading.hex ? capture.is_text() : Result<bool>(reading.hex);
  if (!text) return text.error();
  if (stays && !text.value()) {
    if (const auto taken = capture.take_raw(); !taken) return taken.error();
    return capture;
  }
  const std::size_t most = stays ? k_text_max : k_stream_max;
  Result<Bytes> all = capture.whole(most + 1);
  if (!all) return all.error();
  if (all.value().size() > most)
    return too_large(capture.name_, stays ? "hexadecimal text" : "what is read through a pipe", most);
  return of(std::move(all).value(), capture.name_, reading);
}

Result<Capture> Capture::of(Bytes bytes, const std::string& name, const CaptureReading& reading) {
  if (bytes.empty()) return nothing_in(name);
  Capture capture;
  capture.name_ = name;
  capture.reading_ = reading;
  capture.bytes_ = std::move(bytes);
  const Result<bool> is_text = reading.hex ? Result<bool>(true) : capture.is_text();
  if (!is_text) return is_text.error();
  if (is_text.value()) {
    const Bytes kept = std::move(capture.bytes_);
    capture.bytes_.clear();
    if (kept.size() > k_text_max) return too_large(name, "hexadecimal text", k_text_max);
    const std::string_view text(reinterpret_cast<const char*>(kept.data()), kept.size());
    if (const auto taken = capture.take_text(text); !taken) return taken.error();
    return capture;
  }
  if (const auto taken = capture.take_raw(); !taken) return taken.error();
  return capture;
}

Result<Done> Capture::each_piece(const Pieces& take) const {
  if (!file_) {
    (void)take(bytes_);
    return Done{};
  }
  const int file = ::fileno(file_.get());
  (void)::lseek(file, 0, SEEK_SET);  // fails for a pipe, which is read once
  Bytes piece(k_piece_bytes);
  for (bool at_end = false; !at_end;) {
    std::size_t filled = 0;
    while (!at_end && filled < piece.size()) {
      const ssize_t got = ::read(file, piece.data() + filled, piece.size() - filled);
      // A piece that could not be read completely is not used.
      if (got < 0 && errno != EINTR) return cannot_read(name_, std::strerror(errno));
      at_end = got == 0;
      filled += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    if (filled > 0 && !take(std::span(piece).first(filled))) return Done{};
  }
  return Done{};
}

Result<Done> Capture::each_of_batch(const std::function<bool(const Captured&)>& take) const {
  Bytes left;  // the beginning of a report that continues in the next piece: at most one report
  bool goes_on = true;
  const auto read = each_piece([&](std::span<const std::uint8_t> piece) {
    if (!left.empty()) {
      left.insert(left.end(), piece.begin(), piece.end());
      piece = left;
    }
    std::size_t used = 0;
    BatchReader reader(piece);
    while (goes_on) {
      const auto report = reader.next();
      if (!report) break;
      used += 2 + report->size();
      goes_on = take({is_report(*report) ? CaptureKind::report : CaptureKind::unknown, *report});
    }
    left = Bytes(piece.begin() + static_cast<std::ptrdiff_t>(used), piece.end());
    return goes_on;
  });
  if (read && goes_on && !left.empty()) (void)take({CaptureKind::unknown, left, true});
  return read;
}

Result<Done> Capture::each(const std::function<bool(const Captured&)>& take) const {
  if (is_batch_) return each_of_batch(take);
  for (const Piece& piece : pieces_) {
    const std::span<const std::uint8_t> bytes = std::span(bytes_).subspan(piece.first, piece.size);
    if (piece.kind != CaptureKind::batch) {
      if (!take({piece.kind, bytes})) return Done{};
      continue;
    }
    BatchReader reader(bytes);
    while (const auto report = reader.next()) {
      if (!take({is_report(*report) ? CaptureKind::report : CaptureKind::unknown, *report})) return Done{};
    }
    if (reader.torn() && !take({CaptureKind::unknown, {}, true})) return Done{};
  }
  return Done{};
}

Result<bool> Capture::is_text() const {
  bool text = true, any = false;
  const auto read = each_piece([&](std::span<const std::uint8_t> piece) {
    any = true;
    text = is_hex_text({reinterpret_cast<const char*>(piece.data()), piece.size()});
    return text;
  });
  if (!read) return read.error();
  if (text || !any) return true;
  return reading_.lines ? is_mixed_text() : Result<bool>(false);
}

// One line that is not hexadecimal must not make raw bytes, and so one malformed report, of all the others.
Result<bool> Capture::is_mixed_text() const {
  const Result<CaptureKind> kind = find_kind();
  if (!kind) return kind.error();
  if (kind.value() == CaptureKind::batch || kind.value() == CaptureKind::report) return false;
  LineCount lines;
  const auto read = each_piece([&lines](std::span<const std::uint8_t> piece) {
    lines.add({reinterpret_cast<const char*>(piece.data()), piece.size()});
    return true;
  });
  if (!read) return read.error();
  return lines.is_text();
}

Result<Bytes> Capture::whole(std::size_t most) const {
  Bytes all;
  const auto read = each_piece([&](std::span<const std::uint8_t> piece) {
    piece = piece.first(std::min(piece.size(), most - all.size()));
    all.insert(all.end(), piece.begin(), piece.end());
    return all.size() < most;
  });
  if (!read) return read.error();
  return all;
}

Result<CaptureKind> Capture::find_kind() const {
  Result<Bytes> begin = whole(k_report_bytes_max + 1);
  if (!begin) return begin.error();
  if (const auto kind = kind_by_magic(begin.value())) return *kind;
  if (begin.value().size() <= k_report_bytes_max) return kind_of(begin.value(), reading_.study);
  bool has_report = false;
  const auto read = each_of_batch([&has_report](const Captured& captured) {
    has_report = captured.kind == CaptureKind::report;
    return !has_report;
  });
  if (!read) return read.error();
  return has_report ? CaptureKind::batch : CaptureKind::unknown;
}

Result<Done> Capture::take_raw() {
  const Result<CaptureKind> kind = find_kind();
  if (!kind) return kind.error();
  is_batch_ = kind.value() == CaptureKind::batch;
  if (is_batch_) return Done{};
  Result<Bytes> object = whole(k_object_max);
  if (!object) return object.error();
  bytes_ = std::move(object).value();
  file_.reset();
  pieces_ = {{kind.value(), 0, bytes_.size()}};
  return Done{};
}

// Every line that is not blank is an entry, also one that is not hexadecimal.
void Capture::take_lines(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size()), first = bytes_.size();
    const bool good = append_hex(text.substr(at, end - at), bytes_);
    if (!good) bytes_.resize(first);
    const std::span<const std::uint8_t> line = std::span(bytes_).subspan(first);
    if (!good || !line.empty()) pieces_.push_back({kind_of(line, reading_.study), first, line.size()});
    at = end + 1;
  }
}

Result<Done> Capture::take_text(std::string_view text) {
  take_lines(text);
  if (reading_.lines && pieces_.empty()) return nothing_in(name_);
  if (reading_.lines) return Done{};
  Bytes joined;
  const bool is_hex = append_hex(text, joined);
  const auto stands = [this](const Piece& piece) {
    return decodes(std::span(bytes_).subspan(piece.first, piece.size));
  };
  const CaptureKind kind = is_hex ? kind_of(joined, reading_.study) : CaptureKind::unknown;
  const bool one_object = is_hex && decodes(joined) && kind != CaptureKind::report;
  // Two short reports on two lines could be read as one long one, so that lines which are objects by themselves take
  // precedence.
  const std::size_t standing = static_cast<std::size_t>(std::ranges::count_if(pieces_, stands));
  if (standing > 0 && (standing == pieces_.size() || (!one_object && 2 * standing > pieces_.size()))) return Done{};
  if (!is_hex) return bad_hex(name_);
  bytes_ = std::move(joined);
  pieces_ = {{kind, 0, bytes_.size()}};
  return Done{};
}

}  // namespace sotto::analyzer
