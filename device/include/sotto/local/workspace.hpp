// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace sotto {

/// What a workspace needs beside its arrays: the caller's bytes may begin anywhere, the arrays begin at multiples of 8.
inline constexpr std::size_t k_workspace_slack = 7;

/// Cuts the caller's bytes into arrays, one after the other, largest alignment first. The *_work_bytes functions say how many
/// bytes are enough; an array that does not fit comes out empty.
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
  /// What is not taken yet, for a function that cuts it further.
  [[nodiscard]] std::span<std::byte> rest() const noexcept { return {next_, left_}; }

  /// The array holds whatever the bytes held before.
  template <class T>
  [[nodiscard]] std::span<T> take(std::size_t count) noexcept {
    static_assert(std::is_trivial_v<T> && alignof(T) <= k_workspace_slack + 1);
    static_assert(std::has_single_bit(sizeof(T)));
    T* const begin = take_data<T>(count);
    return {begin, begin == nullptr ? 0 : count};
  }
  /// The same for who knows the count: nullptr when it does not fit.
  template <class T>
  [[nodiscard]] T* take_data(std::size_t count) noexcept {
    return reinterpret_cast<T*>(cut(count, std::countr_zero(sizeof(T))));
  }

 private:
  /// Out of line, once for all types: nullptr when so many numbers of 2^log2 bytes are not left.
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
