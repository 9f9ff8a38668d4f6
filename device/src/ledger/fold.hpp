// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// The image's checksum: folds words from the last to the first, so that the first can close the fold. Each step is one to one
/// in the word and in the fold so far: a change within one word always changes the end. A word equal to the fold so far
/// makes it 0.
[[nodiscard]] std::uint32_t fold_words(const void* words, std::uint32_t bytes) noexcept;

}  // namespace sotto
