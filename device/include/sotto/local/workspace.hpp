// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Divides the caller's work space into arrays.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace sotto {

/// Bytes that a work space needs in addition to its arrays: arrays start at multiples of the size of their numbers (at
/// most 8), but the caller's bytes may start at any address.
inline constexpr std::size_t k_workspace_slack = 7;

/// Takes arrays from the caller's bytes one after the other, largest alignment first. The *_work_bytes functions say
/// how many bytes are enough; an array that does not fit has no address.
class Workspace {
 public:
  explicit Workspace(const std::span<std::byte>& bytes) noexcept : next_(bytes.data()), left_(bytes.size()) {}

  /// The bytes that are not taken yet, for a function that divides them further.
  [[nodiscard]] std::span<std::byte> rest() const noexcept { return {next_, left_}; }

  /// Takes an array. It is not initialised.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) noexcept {
    static_assert(std::is_trivial_v<T> && alignof(T) <= k_workspace_slack + 1);
    static_assert(std::has_single_bit(sizeof(T)));
    return {take_data<T>(count), count};
  }
  /// The same as a pointer: nullptr if the array does not fit.
  template <class T>
  [[nodiscard]] T* take_data(std::size_t count) noexcept {
    return reinterpret_cast<T*>(cut(count, std::countr_zero(sizeof(T))));
  }

 private:
  /// Out of line, once for all types: nullptr if fewer than `count` numbers of 2^log2 bytes are left. They start at a
  /// multiple of their size, or of 8.
  [[gnu::noinline]] std::byte* cut(std::size_t count, int log2) noexcept {
    const std::size_t skip =
        (0u - reinterpret_cast<std::uintptr_t>(next_)) & ((std::size_t{1} << log2) - 1) & k_workspace_slack;
    const std::size_t used = skip + (count << log2);
    if (used > left_) return nullptr;
    std::byte* const begin = next_ + skip;
    next_ += used;
    left_ -= used;
    return begin;
  }

  std::byte* next_;
  std::size_t left_;
};

}  // namespace sotto
