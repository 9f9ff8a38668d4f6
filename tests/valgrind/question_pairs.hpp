// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "asked_question.hpp"

// Which questions exist, which stems each of them takes, and a round that asks each pair.
namespace sotto {

struct QuestionPair {
  const char* name;
  const Question* question;
  Stem stem;
  void (*ask)(AskedQuestion& asked);
  std::uint32_t given = 3;  ///< what the firmware itself would answer
};
inline constexpr std::size_t k_question_pairs = 32;
[[nodiscard]] std::span<const QuestionPair, k_question_pairs> question_pairs();

/// A pair that a question takes and that no case covers, because its time varies on purpose.
struct LeftOut {
  const Question* question;
  Stem stem;
  void (*ask)(AskedQuestion& asked);
};
/// Discrete Gaussian noise is drawn by rejection, so that its time follows the noise, and for vectors the clip follows the values
/// (device/proofs/gaussian.md, 5). A firmware that says that its time can be watched refuses the stem (time_observed).
[[nodiscard]] std::span<const LeftOut> left_out();

/// One good spec of each stem.
struct StemSpec {
  Stem stem;
  void (*through)(AskedQuestion& asked);
};
[[nodiscard]] std::span<const StemSpec> every_stem();

}  // namespace sotto
