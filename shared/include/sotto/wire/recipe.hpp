// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The meaning of the six parameters of a round for each recipe: the table of shared/spec/WIRE.md, section 6, which a
/// test compares with k_rows below. Only this file and the codec know at which place a parameter is.

#include <cstddef>
#include <cstdint>

#include "sotto/wire/question_kind.hpp"

namespace sotto {

inline constexpr std::uint32_t k_parameter_places = 6;

/// The place of a parameter among those of a round, and its name in WIRE.md.
struct Parameter {
  std::uint8_t place = k_parameter_places;  ///< k_parameter_places: none
  const char* name = "";
};

/// The parameters of a round, accessed by name.
struct Parameters {
  std::uint32_t at_place[k_parameter_places] = {};  ///< for the codec

  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t operator[](const Parameter& p) const noexcept {
    return at_place[p.place];
  }
  [[nodiscard, gnu::always_inline]] constexpr std::uint32_t& operator[](const Parameter& p) noexcept {
    return at_place[p.place];
  }
};

/// Values of every parameter `scope`: the coordinates are the features of the round's model, in their order, or all
/// features.
inline constexpr std::uint32_t k_scope_model = 0, k_scope_all = 1;

/// Values of the parameter `measure` of recipe gain. The first three are about a device's own mean or larger class, the
/// others about targets and fits around public centres.
inline constexpr std::uint32_t k_measure_gain = 0, k_measure_class_gain = 1, k_measure_own_right = 2,
                               k_measure_better = 3, k_measure_square = 4, k_measure_fit = 5, k_measure_right = 6;

/// Values of the parameter `measure` of recipe levels: two vectors, then two numbers.
inline constexpr std::uint32_t k_level_products = 0, k_level_columns = 1, k_level_target = 2, k_level_better = 3;

/// Values of the parameter `rule` of recipe number: what a device makes of several readings.
inline constexpr std::uint32_t k_rule_last = 0, k_rule_mean = 1, k_rule_largest = 2, k_rule_count = 3;

/// The names of the parameters, grouped by the recipes that share them. Formats and ranges are in WIRE.md.
namespace recipe {

namespace selection {  // lasso, scad
inline constexpr Parameter columns{0, "columns"}, lambda{1, "lambda"}, pick{2, "pick"}, visits{3, "visits"};
}
namespace vector {  // least_squares, gradient, row_gradient, means, packed
inline constexpr Parameter radius{0, "radius"}, ridge{1, "ridge"}, residual_bound{1, "residual bound"},
    scope{4, "scope"};
}
namespace link_table {  // gradient, row_gradient, steps, signs: taken only with a link that is a table
inline constexpr Parameter first_point{2, "first point"}, log2_step{3, "log2 step"};
}
namespace steps {  // steps
inline constexpr Parameter radius = vector::radius, residual_bound = vector::residual_bound, step_size{4, "step size"},
                           counts{5, "counts"};
}
namespace target {  // target
inline constexpr Parameter bound{0, "bound"};
}
namespace signs {  // signs
inline constexpr Parameter bound{0, "bound"}, scope{1, "scope"};
}
namespace packed_fourier {  // packed_fourier
inline constexpr Parameter radius = vector::radius, count{1, "count"}, inverse_bandwidth{2, "inverse bandwidth"};
}
namespace record {  // hadamard, fourier, copies: one record's features and its target on a grid
inline constexpr Parameter radius{0, "radius"}, feature_steps{1, "feature steps"}, target_steps{2, "target steps"},
    target_bound{3, "target bound"};
}
namespace sketch {  // hadamard; fourier
inline constexpr Parameter block{4, "block"}, inverse_bandwidth{4, "inverse bandwidth"};
}
namespace copies {  // copies
inline constexpr Parameter count{4, "count"}, scope{5, "scope"};
}
namespace gain {  // gain
inline constexpr Parameter bound{0, "bound"}, measure{1, "measure"}, target_centre{4, "target centre"},
    fit_centre{5, "fit centre"};
}
namespace levels {  // levels
inline constexpr Parameter radius = vector::radius, measure{1, "measure"}, target_centre{2, "target centre"},
                           fit_centre{3, "fit centre"};
}
namespace cells {  // cells
inline constexpr Parameter count{0, "count"}, bound{1, "bound"}, scope{2, "scope"};
}
namespace number {  // number
inline constexpr Parameter rule{0, "rule"}, missing{1, "missing"};
}
namespace item {  // item
inline constexpr Parameter length{0, "length"}, hashed{1, "hashed"}, key_bits{2, "key bits"}, fragments{3, "fragments"};
}

}  // namespace recipe

/// Encodes the parameter `counts` of recipe steps: the number of steps, and how many features each step keeps.
[[nodiscard]] constexpr std::uint32_t step_counts(std::uint32_t steps, std::uint32_t kept) noexcept {
  return steps | kept << 16;
}
[[nodiscard]] constexpr std::uint32_t steps_of(std::uint32_t counts) noexcept { return counts & 0xffffu; }
[[nodiscard]] constexpr std::uint32_t kept_of(std::uint32_t counts) noexcept { return counts >> 16; }

namespace recipe {

/// What a recipe uses of a round in addition to its parameters: the entries of the model; a link function, with the
/// points of its table if it has one; ranges. Recipes with ranges serve three questions: `direction` has a radius and
/// no ranges; `value` and `bin` have ranges, radius 0 and no link table. `k_centred`: the recipe can also be used on
/// rows that the device centres itself; the others need stated units.
inline constexpr std::uint32_t k_nothing = 0, k_model = 1, k_link = 2, k_ranges = 4, k_centred = 8;

/// One recipe: its name, and what it uses of a round. Everything else must be zero or empty.
struct Row {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of the table in WIRE.md
  Recipe recipe;
  const char* name;
  std::uint32_t also;
  Parameter parameter[k_parameter_places] = {};
};

/// All recipes, indexed by their numbers.
inline constexpr Row k_rows[] = {
    {Recipe::given, "given", k_centred},
    {Recipe::screen, "screen", k_model | k_centred},
    {Recipe::lasso, "lasso", k_centred, {selection::columns, selection::lambda, selection::pick, selection::visits}},
    {Recipe::scad, "scad", k_centred, {selection::columns, selection::lambda, selection::pick, selection::visits}},
    {Recipe::largest_mean, "largest_mean", k_model},
    {Recipe::least_squares, "least_squares", k_model | k_ranges | k_centred, {vector::radius, vector::ridge}},
    {Recipe::gradient,
     "gradient",
     k_model | k_link | k_ranges | k_centred,
     {vector::radius, vector::residual_bound, link_table::first_point, link_table::log2_step, vector::scope}},
    {Recipe::row_gradient,
     "row_gradient",
     k_model | k_link | k_ranges,
     {vector::radius, vector::residual_bound, link_table::first_point, link_table::log2_step, vector::scope}},
    {Recipe::means, "means", k_model | k_ranges, {vector::radius, vector::scope}},
    {Recipe::scores, "scores", k_nothing},
    {Recipe::steps,
     "steps",
     k_model | k_link | k_centred,
     {steps::radius, steps::residual_bound, link_table::first_point, link_table::log2_step, steps::step_size,
      steps::counts}},
    {Recipe::target, "target", k_nothing, {target::bound}},
    {Recipe::signs,
     "signs",
     k_model | k_link,
     {signs::bound, signs::scope, link_table::first_point, link_table::log2_step}},
    {Recipe::packed, "packed", k_model, {vector::radius, vector::scope}},
    {Recipe::projection, "projection", k_nothing},
    {Recipe::hadamard,
     "hadamard",
     k_nothing,
     {record::radius, record::feature_steps, record::target_steps, record::target_bound, sketch::block}},
    {Recipe::fourier,
     "fourier",
     k_nothing,
     {record::radius, record::feature_steps, record::target_steps, record::target_bound, sketch::inverse_bandwidth}},
    {Recipe::copies,
     "copies",
     k_model,
     {record::radius, record::feature_steps, record::target_steps, record::target_bound, copies::count, copies::scope}},
    {Recipe::packed_fourier,
     "packed_fourier",
     k_nothing,
     {packed_fourier::radius, packed_fourier::count, packed_fourier::inverse_bandwidth}},
    {Recipe::cells, "cells", k_model, {cells::count, cells::bound, cells::scope}},
    {Recipe::gain,
     "gain",
     k_model | k_link | k_centred,
     {gain::bound, gain::measure, gain::target_centre, gain::fit_centre}},
    {Recipe::number, "number", k_ranges | k_centred, {number::rule, number::missing}},
    {Recipe::item, "item", k_nothing, {item::length, item::hashed, item::key_bits, item::fragments}},
    {Recipe::levels,
     "levels",
     k_model | k_ranges | k_centred,
     {levels::radius, levels::measure, levels::target_centre, levels::fit_centre}},
};

/// Whether the recipe has a parameter at this place.
[[nodiscard]] constexpr bool takes_place(Recipe recipe, std::uint32_t place) noexcept {
  for (const Parameter& p : k_rows[static_cast<std::size_t>(recipe)].parameter) {
    if (p.place == place) return true;
  }
  return false;
}

/// How many parameters a recipe has, provided that they are the first ones.
[[nodiscard]] consteval std::uint32_t parameter_count(Recipe recipe) {
  std::uint32_t count = 0;
  while (count < k_parameter_places && takes_place(recipe, count)) ++count;
  return count;
}

}  // namespace recipe
}  // namespace sotto
