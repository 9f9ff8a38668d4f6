// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

inline constexpr std::uint32_t k_fold_start = 0x6f747473;  // "stto"; anything but 0

/// The image's checksum: folds words from the last to the first, so that the first can close the fold. Each step is one to one
/// in the word and in the fold so far: a change within one word always changes the end. A word equal to the fold so far
/// makes it 0.
[[nodiscard]] std::uint32_t fold_words(std::uint32_t fold, const void* words, std::uint32_t bytes) noexcept;

}  // namespace sotto
