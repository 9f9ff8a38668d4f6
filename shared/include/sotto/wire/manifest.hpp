// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The manifest of a study: the decoded form, its limits, and what device and analyzer derive from it. The bytes are in
/// shared/spec/WIRE.md.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/reading_scale.hpp"
#include "sotto/row_units.hpp"
#include "sotto/sha256.hpp"
#include "sotto/status.hpp"
#include "sotto/units.hpp"
#include "sotto/wire/question_kind.hpp"
#include "sotto/wire/signed_bytes.hpp"

namespace sotto {

/// The format version of manifests, rounds and reports.
inline constexpr std::uint8_t k_wire_version = 1;
inline constexpr std::size_t k_manifest_max_bytes = 65536;
inline constexpr std::size_t k_signature_max_bytes = 96;
inline constexpr std::uint32_t k_cohorts_max = 64;

/// The privacy unit: two inputs are neighbours if they differ in this much of one device's data.
enum class PrivacyUnit : std::uint8_t {
  installation = 0,  ///< all samples of one device under one ledger
  item = 1,          ///< one record
  label = 2,         ///< one record's target; its features are public
};

/// A decoded manifest. Spans and pointers refer to the encoded bytes, which must outlive it.
struct Manifest {
  SignedBytes bytes;
  bool authenticated : 1 = false;         ///< reports are sealed with an issued credential
  bool one_scale : 1 = false;             ///< all features share one scale
  RowUnits units : 2 = RowUnits::stated;  ///< with the two flags above, the flags byte of the format
  PrivacyUnit unit = PrivacyUnit::installation;
  std::uint16_t questions = 0;              ///< bit k: question number k may be asked
  std::uint32_t features = 0;               ///< d
  std::uint32_t nominal_rows = 0;           ///< m in the formulas: the public number of rows of a device
  std::uint32_t answers = 0;                ///< how many rounds one device may answer
  std::uint32_t unit_q15 = 0;               ///< one standard deviation of a feature, Q15
  EpsilonNano epsilon = 0;                  ///< epsilon of one answer
  DeltaUnits delta = 0;                     ///< delta of one answer
  const std::uint8_t* collector = nullptr;  ///< 16 bytes that identify the collector
  const std::uint8_t* seed = nullptr;       ///< 32 bytes, the seed of all public coins
  std::uint32_t cohorts = 0;
  const std::uint8_t* weights = nullptr;  ///< u16 for each cohort: its share of the devices
  const std::uint8_t* scales = nullptr;   ///< scale of the target, then of the features; none in a device's own units
};

/// Decodes a manifest. Total: any bytes give either a valid manifest with every byte accounted for, or a refusal, which
/// leaves `out` undefined.
/// Refuses  too_large, bad_magic, unsupported_version, truncated, trailing_bytes, bad_field.
Status decode_manifest(const std::span<const std::uint8_t>& bytes, Manifest& out) noexcept;

/// The digest that identifies a study: SHA-256 of the manifest's body.
[[nodiscard]] Digest manifest_digest(const Manifest& manifest) noexcept;

/// How many scales the manifest holds.
[[nodiscard]] constexpr std::size_t scale_count(const Manifest& manifest) noexcept {
  if (manifest.units == RowUnits::own) return 0;
  return manifest.one_scale ? 2 : std::size_t{manifest.features} + 1;
}

/// The scale of feature j, or of the target for j = features. In a device's own units the scale leaves readings
/// unchanged.
[[nodiscard]] ReadingScale manifest_scale(const Manifest& manifest, std::uint32_t j) noexcept;

/// The cohort of a device, from public coins that do not depend on the round.
[[nodiscard]] std::uint32_t cohort_of(const Manifest& manifest, std::uint64_t pseudonym) noexcept;

/// Whether the manifest allows this kind of question.
[[nodiscard]] constexpr bool may_ask(const Manifest& manifest, QuestionKind question) noexcept {
  return (manifest.questions >> static_cast<unsigned>(question) & 1u) != 0;
}

}  // namespace sotto
