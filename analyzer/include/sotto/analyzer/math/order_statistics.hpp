// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto::analyzer {

/// The law of one score: how far a public codeword reaches along the answer.
struct ScoreLaw {
  enum class Kind : std::uint8_t { normal, absolute_normal, sphere };
  Kind kind;
  std::uint32_t dimension = 0;  ///< of the sphere: one coordinate of a uniform point on S^(dimension-1), dimension >= 2
};

/// Expected sums over the k largest of M independent scores: M * integral of t^power f(t) P(Binomial(M-1, Q(t)) <= k-1)
/// dt, Q the upper tail. Relative accuracy 1e-10. Answers are kept for the whole process, whoever asks: an integral
/// costs up to a millisecond, and every round of a protocol needs the same ones.
class TopSums {
 public:
  TopSums(ScoreLaw law, std::uint32_t count) noexcept : law_(law), count_(count) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Sum of the expectations of the k largest, 1 <= k <= M.
  [[nodiscard]] double sum(std::uint32_t k) const { return known(k, 1); }
  /// The same for their squares: those of the k largest scores, not the k largest squares.
  [[nodiscard]] double sum_of_squares(std::uint32_t k) const { return known(k, 2); }

 private:
  [[nodiscard]] double known(std::uint32_t k, int power) const;

  ScoreLaw law_;
  std::uint32_t count_;
};

/// E of the length of a standard normal vector: sqrt(2) Gamma((d+1)/2) / Gamma(d/2).
[[nodiscard]] double mean_chi(std::uint32_t dimension);

/// The k in [1, last] that maximises score(k), for a score that rises, then falls (quasi-concave).
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
