// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

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
  explicit Workspace(std::span<std::byte> bytes) noexcept : next_(bytes.data()), left_(bytes.size()) {
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
    if (count > left_ / sizeof(T)) return {};
    T* const begin = reinterpret_cast<T*>(next_);
    next_ += count * sizeof(T);
    left_ -= count * sizeof(T);
    return {begin, count};
  }

 private:
  std::byte* next_;
  std::size_t left_;
};

}  // namespace sotto
