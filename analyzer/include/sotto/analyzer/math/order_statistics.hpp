// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Expected order statistics of random scores. The direction randomizers report one of the k public codewords nearest
/// to the answer, and the scale of their estimates is a sum of such expectations.

#include <cstdint>

namespace sotto::analyzer {

/// The distribution of one score: the inner product of a public codeword with the answer.
struct ScoreLaw {
  enum class Kind : std::uint8_t { normal, absolute_normal, sphere };
  Kind kind;
  /// For Kind::sphere: the score is one coordinate of a uniform point on S^(dimension-1), dimension >= 2.
  std::uint32_t dimension = 0;
};

/// Expected sums over the k largest of M independent scores with density f and upper tail Q:
/// M * integral of t^power f(t) P(Binomial(M-1, Q(t)) <= k-1) dt, to a relative accuracy of 1e-10. Results are cached
/// for the whole process: an integral costs up to a millisecond, and every round of a protocol needs the same ones.
class TopSums {
 public:
  TopSums(ScoreLaw law, std::uint32_t count) noexcept : law_(law), count_(count) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// The expected sum of the k largest scores, 1 <= k <= M.
  [[nodiscard]] double sum(std::uint32_t k) const { return known(k, 1); }
  /// The expected sum of the squares of the k largest scores (not of the k largest squares).
  [[nodiscard]] double sum_of_squares(std::uint32_t k) const { return known(k, 2); }

 private:
  [[nodiscard]] double known(std::uint32_t k, int power) const;

  ScoreLaw law_;
  std::uint32_t count_;
};

/// The expected norm of a standard normal vector: sqrt(2) Gamma((d+1)/2) / Gamma(d/2), d being the dimension.
[[nodiscard]] double mean_chi(std::uint32_t dimension);

/// The k in [1, last] that maximises score(k), for a unimodal score that first rises and then falls.
template <class Score>
[[nodiscard]] std::uint32_t best_of_rising_then_falling(std::uint32_t last, Score score) {
  std::uint32_t low = 1, high = last;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (score(middle) < score(middle + 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace sotto::analyzer
