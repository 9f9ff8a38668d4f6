// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the harnesses share: promises, and objects made of the fuzzer's bytes.
namespace sotto::fuzz {

inline void must(bool promise) {
  if (!promise) __builtin_trap();
}

/// Takes numbers off the front of the fuzzer's bytes; behind the end there are zeros.
class Taker {
 public:
  explicit Taker(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  bool flag() { return (u8() & 1) != 0; }
  /// 0 .. below - 1, and mostly of few bits: small numbers are where most bounds are.
  std::uint32_t below(std::uint32_t below) { return below <= 256 ? u8() % below : u32() % below; }
  /// A number that is often one of those at which something changes.
  std::uint32_t interesting() {
    constexpr std::uint32_t k_numbers[] = {0,     1,     2,       3,       4,       7,       8,          31,       32,
                                           63,    64,    100,     255,     256,     500,     512,        1023,     1024,
                                           32767, 32768, 1 << 20, 1 << 23, 1 << 24, 1 << 25, 0x7fffffff, 1u << 31, ~0u};
    const std::uint8_t way = u8();
    if (way < 0xc0) return k_numbers[way % std::size(k_numbers)];
    return way < 0xe0 ? u16() : u32();
  }
  void fill(std::span<std::uint8_t> out) {
    for (std::uint8_t& b : out) b = u8();
  }
  std::span<const std::uint8_t> rest() const { return left_; }
  bool empty() const { return left_.empty(); }

 private:
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    const std::size_t there = std::min(bytes, left_.size());
    for (std::size_t i = 0; i < there; ++i) value |= std::uint64_t{left_[i]} << (8 * i);
    left_ = left_.subspan(there);
    return value;
  }
  std::span<const std::uint8_t> left_;
};

/// Changes some bytes, as the fuzzer says: none where it says nothing more.
inline void damage(Taker& take, std::vector<std::uint8_t>& bytes) {
  for (int changes = take.u8() % 4; changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = take.u16() % bytes.size();
    switch (take.u8() % 4) {
      case 0: bytes[at] = take.u8(); break;
      case 1: bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ 1u << take.u8() % 8); break;
      case 2: bytes.resize(at); break;
      default: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), take.u8()); break;
    }
  }
}

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace sotto::fuzz
