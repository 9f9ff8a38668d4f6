// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/design_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint8_t k_design_version = 2;
constexpr std::array<std::uint8_t, 8> k_head{'S', 'O', 'T', 'D', k_design_version, 0, 0, 0};
constexpr std::size_t k_head_bytes = 8 + 32 + 8 + 4 + 4;

std::uint64_t load_u64(const std::uint8_t* p) noexcept { return load_u32(p) | std::uint64_t{load_u32(p + 4)} << 32; }

std::array<std::uint8_t, k_head_bytes> head_of(const Digest& study, std::uint64_t rows, std::uint32_t features) {
  std::array<std::uint8_t, k_head_bytes> head{};
  ByteWriter w{head};
  w.bytes(k_head);
  w.bytes(study);
  w.u64(rows);
  w.u32(features);
  return head;
}

/// Appends a row in the file's byte order.
void put_row(std::span<const Q15> row, std::vector<std::uint8_t>& out) {
  out.resize(2 * row.size());
  for (std::size_t j = 0; j < row.size(); ++j) {
    const auto v = static_cast<std::uint16_t>(row[j]);
    out[2 * j] = static_cast<std::uint8_t>(v);
    out[2 * j + 1] = static_cast<std::uint8_t>(v >> 8);
  }
}

/// Reads the whole file to check its digest: a failing disk is reported here as an error, and not later as a fault on a
/// mapped page.
Result<Done> has_digest(const std::filesystem::path& path, std::size_t covered, const std::uint8_t* stored) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<std::uint8_t> piece(std::size_t{1} << 18);
  Sha256 hash;
  ssize_t got = file < 0 ? -1 : 1;
  while (covered > 0 && (got > 0 || (got < 0 && file >= 0 && errno == EINTR))) {
    got = ::read(file, piece.data(), std::min(piece.size(), covered));
    const auto here = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    hash.add(std::span(piece).first(here));
    covered -= here;
  }
  const int why = errno;
  if (file >= 0) ::close(file);
  if (got < 0) {
    return Error{"io.cannot_read", fmt::format("reading the design stopped: {}", std::strerror(why)), path.string(),
                 "check the disk"};
  }
  Digest digest;
  hash.finish(digest);
  if (covered == 0 && std::equal(digest.begin(), digest.end(), stored)) return Done{};
  return Error{"design.damaged", "the design is not as it was written: its digest differs", path.string(),
               "make it again with `sotto design DIR FEATURES.csv`"};
}

}  // namespace

DesignFile::~DesignFile() {
  if (bytes_ != nullptr) munmap(const_cast<std::uint8_t*>(bytes_), size_);
}

Result<std::unique_ptr<DesignFile>> DesignFile::open(const std::filesystem::path& path, const Digest& study) {
  const auto bad = [&path](std::string_view code, std::string what, std::string fix) {
    return Error{code, std::move(what), path.string(), std::move(fix)};
  };
  std::unique_ptr<DesignFile> made(new DesignFile);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  const bool there = file >= 0 && fstat(file, &info) == 0;
  made->size_ = there ? static_cast<std::size_t>(info.st_size) : 0;
  void* const mapped = made->size_ > 0 ? mmap(nullptr, made->size_, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  if (file >= 0) close(file);
  if (!there) return bad("io.cannot_read", "the file cannot be read", "make it with `sotto design DIR FEATURES.csv`");
  const Error other = bad("design.not_a_design", "the file is not a design, or was truncated",
                          "make it again with `sotto design DIR FEATURES.csv`");
  if (mapped == MAP_FAILED) return other;
  made->bytes_ = static_cast<const std::uint8_t*>(mapped);
  if (made->size_ < k_head_bytes + sizeof(Digest) || !std::equal(k_head.begin(), k_head.begin() + 4, made->bytes_))
    return other;
  if (made->bytes_[4] != k_design_version) {
    return bad(
        "design.other_version",
        fmt::format("the design has format version {}, and this release reads {}", made->bytes_[4], k_design_version),
        "make it again with `sotto design DIR FEATURES.csv`");
  }
  const std::size_t covered = made->size_ - sizeof(Digest);
  if (const auto whole = has_digest(path, covered, made->bytes_ + covered); !whole) return whole.error();
  if (!std::equal(k_head.begin(), k_head.end(), made->bytes_)) return other;
  if (!std::equal(study.begin(), study.end(), made->bytes_ + 8)) {
    return bad("design.other_study", "the design was made for another manifest",
               "make it again with this study's credentials");
  }
  made->rows_ = load_u64(made->bytes_ + 40);
  made->features_ = load_u32(made->bytes_ + 48);
  const std::uint64_t of_row = 8 + 2 * std::uint64_t{made->features_};
  if (made->rows_ > (covered - k_head_bytes) / of_row || k_head_bytes + made->rows_ * of_row != covered) return other;
  for (std::uint64_t row = 1; row < made->rows_; ++row) {
    if (made->pseudonym(row) <= made->pseudonym(row - 1))
      return bad("design.unsorted", "the pseudonyms of the design are not in rising order", "make it again");
  }
  return made;
}

std::uint64_t DesignFile::pseudonym(std::uint64_t row) const { return load_u64(bytes_ + k_head_bytes + 8 * row); }

bool DesignFile::read(std::uint64_t row, std::span<Q15> out) const {
  const std::uint8_t* p = bytes_ + k_head_bytes + 8 * rows_ + 2 * std::uint64_t{features_} * row;
  for (Q15& v : out) {
    v = static_cast<Q15>(static_cast<std::uint16_t>(p[0] | p[1] << 8));
    p += 2;
  }
  return true;
}

Result<Done> write_design(const std::filesystem::path& path, const Digest& study, const PublicDesign& design) {
  // The file says which device holds which row; only its owner may read it.
  Result<ReplacedFile> file = ReplacedFile::begin(path, Readers::owner);
  if (!file) return file.error();
  Sha256 hash;
  std::vector<std::uint8_t> waiting;
  const auto flush = [&]() -> Result<Done> {
    hash.add(waiting);
    const Result<Done> written = file.value().write(waiting);
    waiting.clear();
    return written;
  };
  const auto put = [&](std::span<const std::uint8_t> bytes) -> Result<Done> {
    constexpr std::size_t k_at_once = std::size_t{1} << 18;
    waiting.insert(waiting.end(), bytes.begin(), bytes.end());
    return waiting.size() < k_at_once ? Result<Done>(Done{}) : flush();
  };
  std::vector<Q15> row(design.features());
  std::vector<std::uint64_t> known;
  for (std::uint64_t i = 0; i < design.rows(); ++i) {
    if (design.read(i, row)) known.push_back(i);
  }
  if (const auto done = put(head_of(study, known.size(), design.features())); !done) return done.error();
  for (const std::uint64_t i : known) {
    std::uint8_t name[8];
    ByteWriter(name).u64(design.pseudonym(i));
    if (const auto done = put(name); !done) return done.error();
  }
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t i : known) {
    static_cast<void>(design.read(i, row));
    put_row(row, bytes);
    if (const auto done = put(bytes); !done) return done.error();
  }
  if (const auto done = flush(); !done) return done.error();
  Digest digest;
  hash.finish(digest);
  if (const auto done = file.value().write(digest); !done) return done.error();
  return file.value().commit();
}

}  // namespace sotto::analyzer
