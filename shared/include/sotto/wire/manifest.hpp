// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/reading_scale.hpp"
#include "sotto/sha256.hpp"
#include "sotto/status.hpp"
#include "sotto/units.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto {

/// Of manifest, round and report.
inline constexpr std::uint8_t k_wire_version = 1;
inline constexpr std::size_t k_manifest_max_bytes = 65536;
inline constexpr std::size_t k_signature_max_bytes = 96;
inline constexpr std::uint32_t k_cohorts_max = 64;

/// Whose difference epsilon hides.
enum class PrivacyUnit : std::uint8_t {
  installation = 0,  ///< all samples of one device under one ledger
  item = 1,          ///< one record
  label = 2,         ///< one record's target; its features are public
};

/// A study as devices load it (shared/spec/WIRE.md), decoded in place: the bytes stay where they are, and must outlive this.
struct Manifest {
  std::span<const std::uint8_t> body;       ///< what the digest names
  std::span<const std::uint8_t> signature;  ///< empty, or 1 to 96 bytes that mean something to the verify hook
  bool authenticated : 1 = false;           ///< reports are sealed with an issued credential
  bool one_scale : 1 = false;               ///< all features share one scale; both are the format's byte of flags
  PrivacyUnit unit = PrivacyUnit::installation;
  std::uint16_t questions = 0;              ///< bit k: question number k may be asked
  std::uint32_t features = 0;               ///< d
  std::uint32_t nominal_rows = 0;           ///< the public m of all formulas
  std::uint32_t answers = 0;                ///< rounds that one device may answer
  std::uint32_t unit_q15 = 0;               ///< one standard deviation of a feature
  EpsilonNano epsilon = 0;                  ///< of one answer
  DeltaUnits delta = 0;                     ///< of one answer
  const std::uint8_t* collector = nullptr;  ///< 16 bytes
  const std::uint8_t* seed = nullptr;       ///< 32 bytes
  std::uint32_t cohorts = 0;
  const std::uint8_t* weights = nullptr;  ///< u16 for each cohort
  const std::uint8_t* scales = nullptr;   ///< of the target, then of the features
};

/// Total: a valid manifest with every byte accounted for, or a refusal that names the fault and leaves `out` without a meaning.
/// Refuses  too_large, bad_magic, unsupported_version, truncated, trailing_bytes, bad_field.
Status decode_manifest(const std::span<const std::uint8_t>& bytes, Manifest& out) noexcept;

/// What names a manifest everywhere: SHA-256 of its body.
[[nodiscard]] Digest manifest_digest(const Manifest& manifest) noexcept;

/// How a reading becomes Q15: of feature j, or of the target for j = features.
[[nodiscard]] ReadingScale manifest_scale(const Manifest& manifest, std::uint32_t j) noexcept;

/// The one cohort of a device, from public coins that do not depend on the round.
[[nodiscard]] std::uint32_t cohort_of(const Manifest& manifest, std::uint64_t pseudonym) noexcept;

[[nodiscard]] constexpr bool may_ask(const Manifest& manifest, QuestionKind question) noexcept {
  return (manifest.questions >> static_cast<unsigned>(question) & 1u) != 0;
}

}  // namespace sotto
