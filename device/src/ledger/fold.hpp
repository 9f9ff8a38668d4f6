// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The checksum of the ledger's image.

#include <cstdint>

namespace sotto {

/// Folds the words from last to first; the first word is the checksum, chosen so that the fold of the whole image is 0.
/// Each step is a bijection of the word and of the fold so far, so a change within one word always changes the result.
/// A word that equals the fold so far makes it 0.
[[nodiscard]] std::uint32_t fold_words(const void* words, std::uint32_t bytes) noexcept;

}  // namespace sotto
