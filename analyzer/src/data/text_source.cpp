// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "text_source.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_piece_bytes = 1u << 18;
constexpr int k_gzip_header = 16 + MAX_WBITS;  // asks zlib for gzip framing with the largest window

}  // namespace

void TextSource::Close::operator()(std::FILE* file) const noexcept {
  if (file != stdin) (void)std::fclose(file);
}

void TextSource::Close::operator()(z_stream* stream) const noexcept {
  inflateEnd(stream);
  delete stream;
}

TextSource::TextSource(std::string name, std::FILE* file) : name_(std::move(name)), file_(file), in_(k_piece_bytes) {}

Result<TextSource> TextSource::open(const std::filesystem::path& file) {
  if (file == "-") return TextSource("stdin", stdin);
  std::FILE* opened = std::fopen(file.c_str(), "rb");
  if (!opened) {
    return Error{"io.cannot_read", fmt::format("cannot read the file: {}", std::strerror(errno)), file.string(),
                 "check the path"};
  }
  return TextSource(file.string(), opened);
}

TextSource TextSource::of(std::string name, std::string text) { return {std::move(name), std::move(text)}; }

Error TextSource::damaged(std::string_view how) const {
  return {"io.damaged_gzip", fmt::format("{}: the gzip data {}", name_, how), "", "fetch or pack the file again"};
}

Result<std::string_view> TextSource::packed() {
  ssize_t got = -1;
  do {
    got = ::read(::fileno(file_.get()), in_.data(), in_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    return Error{"io.cannot_read", fmt::format("reading stopped: {}", std::strerror(errno)), name_,
                 "name a file, and check the disk"};
  }
  return std::string_view(in_.data(), static_cast<std::size_t>(got));
}

Result<std::string_view> TextSource::read() {
  if (!file_) return std::exchange(begun_, true) ? std::string_view() : std::string_view(text_);
  if (gzip_) return unpack();
  auto piece = packed();
  if (!piece || std::exchange(begun_, true) || !piece.value().starts_with("\x1f\x8b")) return piece;

  auto stream = std::make_unique<z_stream>();
  if (inflateInit2(stream.get(), k_gzip_header) != Z_OK) return damaged("cannot be unpacked: out of memory");
  gzip_.reset(stream.release());
  gzip_->next_in = reinterpret_cast<Bytef*>(in_.data());
  gzip_->avail_in = static_cast<uInt>(piece.value().size());
  out_.resize(k_piece_bytes);
  return unpack();
}

Result<std::string_view> TextSource::unpack() {
  z_stream& stream = *gzip_;
  stream.next_out = reinterpret_cast<Bytef*>(out_.data());
  stream.avail_out = static_cast<uInt>(out_.size());
  while (stream.avail_out == out_.size()) {
    if (stream.avail_in == 0) {
      auto piece = packed();
      if (!piece) return piece;
      if (piece.value().empty()) {
        if (!between_members_) return damaged("ends too early");
        return std::string_view();
      }
      stream.next_in = reinterpret_cast<Bytef*>(in_.data());
      stream.avail_in = static_cast<uInt>(piece.value().size());
    }
    // A gzip file may consist of several members, as `cat a.gz b.gz` makes it.
    if (std::exchange(between_members_, false)) inflateReset(&stream);
    const int status = inflate(&stream, Z_NO_FLUSH);
    between_members_ = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      return damaged(fmt::format("is damaged ({})", stream.msg ? stream.msg : "no further reason"));
    }
  }
  return std::string_view(out_.data(), out_.size() - stream.avail_out);
}

}  // namespace sotto::analyzer
