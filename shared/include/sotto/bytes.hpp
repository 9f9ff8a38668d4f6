// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reading and writing of little-endian numbers: single words, a bounded writer into the caller's bytes, and a bounded
/// reader for untrusted bytes.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

/// The 32-bit number in four little-endian bytes, at any alignment.
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t load_u32(const std::uint8_t* p) noexcept {
  return std::uint32_t{p[0]} | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}
/// Converts a word that was loaded from little-endian memory to a number: the identity on little-endian cores, which
/// all targets so far are.
[[nodiscard]] constexpr std::uint32_t from_little_endian(std::uint32_t w) noexcept {
  return std::endian::native == std::endian::little ? w : __builtin_bswap32(w);
}
/// Writes v as four little-endian bytes, at any alignment.
constexpr void store_u32(std::uint8_t* p, std::uint32_t v) noexcept {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::uint8_t>(v >> (8 * i));
}

/// Whether two byte strings of the same length, at least 1, are equal. For public bytes only: the time shows where they
/// differ. Smaller than memcmp(), which also decides which is larger.
[[nodiscard, gnu::noinline]] inline bool equal_bytes(const void* a, const void* b, std::size_t bytes) noexcept {
  const auto *p = static_cast<const std::uint8_t*>(a), *q = static_cast<const std::uint8_t*>(b);
  do {
    --bytes;
    if (p[bytes] != q[bytes]) return false;
  } while (bytes != 0);
  return true;
}

/// Appends little-endian numbers to the caller's bytes. A write that does not fit changes nothing, and neither does any
/// later one; overflowed() is then true.
class ByteWriter {
 public:
  explicit constexpr ByteWriter(const std::span<std::uint8_t>& out) noexcept : out_(out) {}

  constexpr void u8(std::uint8_t v) noexcept { number(v, 1); }
  constexpr void u16(std::uint16_t v) noexcept { number(v, 2); }
  constexpr void u32(std::uint32_t v) noexcept { number(v, 4); }
  constexpr void u64(std::uint64_t v) noexcept { number(v, 8); }
  constexpr void bytes(const std::span<const std::uint8_t>& v) noexcept {
    if (!fits(v.size())) return;
    for (const std::uint8_t b : v) out_[size_++] = b;
  }

  [[nodiscard]] constexpr bool overflowed() const noexcept { return overflowed_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr std::span<const std::uint8_t> written() const noexcept { return out_.first(size_); }

 private:
  constexpr bool fits(std::size_t n) noexcept {
    overflowed_ = overflowed_ || n > out_.size() - size_;
    return !overflowed_;
  }
  constexpr void number(std::uint64_t v, std::size_t n) noexcept {
    if (!fits(n)) return;
    for (std::size_t i = 0; i < n; ++i) out_[size_++] = static_cast<std::uint8_t>(v >> (8 * i));
  }

  std::span<std::uint8_t> out_;
  std::size_t size_ = 0;
  bool overflowed_ = false;
};

/// Reads little-endian numbers from untrusted bytes. A read past the end returns 0, and so does every later one.
class ByteReader {
 public:
  explicit constexpr ByteReader(const std::span<const std::uint8_t>& in) noexcept : in_(in) {}

  [[nodiscard]] constexpr std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(number(1)); }
  [[nodiscard]] constexpr std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(number(2)); }
  [[nodiscard]] constexpr std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(number(4)); }
  [[nodiscard]] constexpr std::uint64_t u64() noexcept { return number(8); }

 private:
  constexpr std::uint64_t number(std::size_t n) noexcept {
    exhausted_ = exhausted_ || n > in_.size() - at_;
    if (exhausted_) return 0;
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < n; ++i) v |= std::uint64_t{in_[at_++]} << (8 * i);
    return v;
  }

  std::span<const std::uint8_t> in_;
  std::size_t at_ = 0;
  bool exhausted_ = false;
};

}  // namespace sotto
