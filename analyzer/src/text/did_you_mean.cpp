// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "did_you_mean.hpp"

#include <algorithm>

namespace sotto::analyzer {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view did_you_mean(std::string_view typed, const std::vector<std::string>& candidates) {
  std::string_view best;
  std::size_t least = 3;  // a distance of three letters is another word
  // The time of a comparison is the product of the lengths, so longer words, such as a whole file on one line, are not
  // compared.
  constexpr std::size_t k_longest = 100;
  if (typed.size() > k_longest) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > k_longest) continue;
    const std::size_t distance = edit_distance(typed, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace sotto::analyzer
