// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Compiles a study to the bytes that devices load: the manifest, and the first round.

#include <array>
#include <cstdint>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// The public seed of a study, from which all public coins follow. It is drawn when the study is compiled and cannot be
/// chosen.
using StudySeed = std::array<std::uint8_t, 32>;
[[nodiscard]] StudySeed drawn_seed();
/// The same seed for the same number: for simulations, where knowing the coins in advance does no harm.
[[nodiscard]] StudySeed repeatable_seed(std::uint64_t number);

/// The manifest and the first round, as bytes. The round is empty if the protocol expects to learn nothing from this
/// fleet.
struct CompiledStudy {
  std::vector<std::uint8_t> manifest, round;
  std::string why_hopeless;  ///< without a round: what the plan expects of this fleet, in one sentence
};

/// The manifest alone. It follows from the study's terms and its plan.
/// Refuses   as compile_study().
[[nodiscard]] Result<std::vector<std::uint8_t>> study_manifest(const Study& study, const StudySeed& seed);

/// Compiles the manifest and the first round.
/// Refuses   study.no_recipe: only votes can be asked without a protocol; study.bad_dimension: more features than a
///           manifest can count; study.too_large: more scales than a manifest can hold.
[[nodiscard]] Result<CompiledStudy> compile_study(const Study& study, const StudySeed& seed);

}  // namespace sotto::analyzer
