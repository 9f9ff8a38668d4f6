// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/coins/private_coins.hpp"

namespace sotto::exact {

/// A test that links scripted_coins.cpp gets private coins whose words are the ones written here: the definitions there take
/// the place of the library's generator, and everything else is the compiled device library. So a test can walk through
/// every branch of a randomizer and count the words that it asks for.
struct Script {
  std::vector<std::uint32_t> words;
  std::size_t used = 0;
  bool ran_dry = false;  ///< more words were asked for than were written
};
inline Script g_script;

inline void play(std::vector<std::uint32_t> words) { g_script = {std::move(words), 0, false}; }

/// All words were used and none was missing.
inline bool played_to_the_end() { return !g_script.ran_dry && g_script.used == g_script.words.size(); }

/// A word for which below(n) answers r, accepted at once. n <= 2^31.
inline std::uint32_t word_for(std::uint32_t n, std::uint32_t r) {
  const std::uint64_t first =
      ((std::uint64_t{r} << 32) + n - 1) / n;  // the first word of r's share; it may be rejected
  return static_cast<std::uint32_t>(first +
                                    ((first * n) % (std::uint64_t{1} << 32) < (std::uint64_t{1} << 32) % n ? 1 : 0));
}

/// Appends the words of below(n) = r: none for n = 1.
inline void append_below(std::vector<std::uint32_t>& words, std::uint32_t n, std::uint32_t r) {
  if (n > 1) words.push_back(word_for(n, r));
}

}  // namespace sotto::exact
