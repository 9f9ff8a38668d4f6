// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// The public seed of a study: drawn when it is compiled, never typed.
using StudySeed = std::array<std::uint8_t, 32>;
[[nodiscard]] StudySeed drawn_seed();
/// The same for the same number: for simulations, where nobody gains by knowing the coins beforehand.
[[nodiscard]] StudySeed repeatable_seed(std::uint64_t number);

/// What devices load and what they are asked first, as bytes. Without a round: the protocol expects to learn nothing from this
/// fleet, and asks nothing.
struct CompiledStudy {
  std::vector<std::uint8_t> manifest, round;
};

/// What devices load. It follows from the study's terms and its plan.
/// Refuses   as compile_study().
[[nodiscard]] Result<std::vector<std::uint8_t>> study_manifest(const Study& study, const StudySeed& seed);

/// Refuses   study.no_recipe: rounds of this kind come with their protocols, only votes are asked alone; study.bad_dimension:
///           more features than a manifest counts; study.too_large: more scales than a manifest holds.
[[nodiscard]] Result<CompiledStudy> compile_study(const Study& study, const StudySeed& seed);

}  // namespace sotto::analyzer
