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

/// What a work space needs beside its arrays: the caller's bytes may start at any address, the arrays start at a
/// multiple of 8.
inline constexpr std::size_t k_workspace_slack = 7;

/// Takes arrays from the caller's bytes one after the other, largest alignment first. The *_work_bytes functions say
/// how many bytes are enough; an array that does not fit is empty.
class Workspace {
 public:
  [[gnu::noinline]] explicit Workspace(const std::span<std::byte>& bytes) noexcept
      : next_(bytes.data()), left_(bytes.size()) {
    const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(next_)) & k_workspace_slack;
    const std::size_t skipped = skip < left_ ? skip : left_;
    next_ += skipped;
    left_ -= skipped;
  }

  [[nodiscard]] std::size_t left() const noexcept { return left_; }
  /// The bytes that are not taken yet, for a function that divides them further.
  [[nodiscard]] std::span<std::byte> rest() const noexcept { return {next_, left_}; }

  /// Takes an array. It is not initialised.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) noexcept {
    static_assert(std::is_trivial_v<T> && alignof(T) <= k_workspace_slack + 1);
    static_assert(std::has_single_bit(sizeof(T)));
    T* const begin = take_data<T>(count);
    return {begin, begin == nullptr ? 0 : count};
  }
  /// The same as a pointer: nullptr if the array does not fit.
  template <class T>
  [[nodiscard]] T* take_data(std::size_t count) noexcept {
    return reinterpret_cast<T*>(cut(count, std::countr_zero(sizeof(T))));
  }

 private:
  /// Out of line, once for all types: nullptr if fewer than `count` numbers of 2^log2 bytes are left.
  [[gnu::noinline]] std::byte* cut(std::size_t count, int log2) noexcept {
    if (count > left_ >> log2) return nullptr;
    std::byte* const begin = next_;
    next_ += count << log2;
    left_ -= count << log2;
    return begin;
  }

  std::byte* next_;
  std::size_t left_;
};

}  // namespace sotto
