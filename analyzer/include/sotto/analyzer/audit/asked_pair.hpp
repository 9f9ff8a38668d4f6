// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Every question with every randomizer that it takes, as a study and a round that a device can answer, and two data
/// sets whose answers lie as far apart as they can. Freestanding, because the same list is linked into the firmware
/// that is audited in an emulator.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "sotto/bytes.hpp"
#include "sotto/fixed.hpp"
#include "sotto/session/question.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer::audit {

inline constexpr std::uint32_t k_audit_features = 4, k_audit_rows = 3;
inline constexpr DeltaUnits k_audit_delta = 18446744073709u;  ///< 10^-6, of Gaussian questions
inline constexpr std::uint64_t k_audit_pseudonym = 0x534f54544f000001u;
/// The cohort of k_audit_pseudonym in the audit's studies, by shared/spec/WIRE.md. It is written down, not computed, so
/// that a device with another opinion refuses.
inline constexpr std::uint8_t k_audit_cohort = 1;

/// In what the two data sets differ. Values that have a range lie far beyond it, so that a forgotten clip shows.
enum class Contrast : std::uint8_t {
  given,    ///< the firmware's own answer
  target,   ///< the sign of the target
  record,   ///< the sign of a whole record, target and features
  feature,  ///< which feature moves with the target
  pattern,  ///< the signs of every other feature
};

/// The integers below which a uniform word makes the randomizer keep its answer, as the round states or implies them: one
/// of 32 bits, or of a Laplace number one of 64 bits for each digit. None for Gaussian noise.
struct CertifiedCoins {
  static constexpr std::uint32_t k_most = 3;  ///< digits: a device computes so many words at once
  std::uint64_t threshold[k_most] = {};
  std::uint32_t count = 0;
  bool is_wide = false;
  std::uint32_t variance = 0;  ///< of Gaussian noise
};

/// A study with one question, its rounds 1 and 2, and two data sets.
class AskedPair {
 public:
  AskedPair() noexcept = default;
  AskedPair(const AskedPair&) = delete;
  AskedPair& operator=(const AskedPair&) = delete;

  /// A new study without a question.
  void begin(EpsilonNano epsilon) noexcept;
  /// The recipe's parameters in the order of their places; those behind the last are zero.
  void ask(Recipe recipe, std::initializer_list<std::uint32_t> parameters) noexcept;
  void model(std::initializer_list<ModelEntry> entries) noexcept;
  void range(NumberPair pair) noexcept;
  /// The randomizer and its integers, derived at the study's epsilon.
  template <class Spec>
  void through(Spec spec) noexcept {
    if constexpr (requires { spec.delta; }) spec.delta = manifest.delta = k_audit_delta;
    spec.epsilon = manifest.epsilon;
    (void)derive(spec);  // the device refuses what this refuses
    std::uint8_t bytes[32] = {};
    ByteWriter writer{bytes};
    encode_fields(spec, writer);
    round.stem = Spec::k_stem;
    for (std::size_t i = 0; i < k_spec_fields; ++i) round.spec[i] = load_u32(bytes + 4 * i);
    certify_coins(spec);
  }
  /// Two data sets that differ in this.
  void contrast(Contrast by) noexcept;
  /// Writes the study's bytes, and those of the rounds with each_round().
  void write(QuestionKind kind) noexcept;
  /// The bytes of round 1 or 2, until the next call.
  [[nodiscard]] std::span<const std::uint8_t> round_bytes(std::uint16_t number) noexcept;
  [[nodiscard]] std::span<const std::uint8_t> manifest_bytes() const noexcept {
    return std::span{manifest_space_}.first(manifest_size_);
  }
  /// The private data, first or second.
  [[nodiscard]] LocalData local(bool first) const noexcept;

  Manifest manifest;
  Round round;
  Digest digest{};
  CertifiedCoins coins;

 private:
  template <class Spec>
  void certify_coins(const Spec& spec) noexcept {
    coins = {};
    if constexpr (requires { spec.threshold; }) {
      coins.threshold[0] = spec.threshold;
      coins.count = 1;
    } else if constexpr (requires { laplace_step_q40(spec); }) {
      coins.is_wide = true;
      for (; coins.count < CertifiedCoins::k_most && coins.count < spec.bits; ++coins.count)
        coins.threshold[coins.count] = laplace_digit_threshold(laplace_step_q40(spec), coins.count);
    } else if constexpr (requires { spec.variance; }) {
      coins.variance = spec.variance;
    }
  }

  std::size_t manifest_size_ = 0;
  std::uint32_t held_rows_ = 0;
  std::uint32_t given_[2] = {};
  Q15 rows_[2][k_audit_rows * (k_audit_features + 1)] = {};
  std::uint8_t model_[2 * 6] = {}, range_[8] = {}, scales_[26] = {};
  std::uint8_t manifest_space_[160] = {}, round_space_[160] = {};
};

/// A question and a randomizer that it takes.
struct QuestionStem {
  const char* question;  ///< the name of the Question that a firmware lists, without k_
  const char* stem;      ///< the randomizer's name, and for a vote the oracle behind a slash
  const Question* asked;
  void (*ask)(AskedPair& pair);
  bool is_gaussian = false;
};

/// All pairs that a study can ask.
[[nodiscard]] std::span<const QuestionStem> question_stems() noexcept;
/// The pair, ready to be answered.
void ask_pair(const QuestionStem& which, EpsilonNano epsilon, AskedPair& pair) noexcept;

}  // namespace sotto::analyzer::audit
