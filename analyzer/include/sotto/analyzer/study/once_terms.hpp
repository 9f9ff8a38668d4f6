// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sotto/units.hpp"

namespace sotto::analyzer {

/// How a protocol that collects once asks for what it needs.
enum class OnceWay : std::uint8_t {
  automatic,  ///< whichever is predicted to come closest
  paper,      ///< vectors with additive noise, as the paper has it, corrected
  moments,    ///< one record's packed products as a direction
  direct,     ///< the quantity itself as a direction
  binned,     ///< the cell of one record and its target's sign
};
[[nodiscard]] std::string_view way_name(OnceWay way);
/// The words of study files and of the command line; "default" is automatic, "projected" the paper's way of a mean.
[[nodiscard]] std::optional<OnceWay> parse_way(std::string_view word);

/// What a study that collects once says beforehand, beside what every study of a model says. Sizes are in full scales of features and
/// target, which is what devices count in.
struct OnceTerms {
  OnceWay way = OnceWay::automatic;
  DeltaUnits delta = 0;         ///< that a report may spend; without it only the pure ways are left
  double row_norm = 1;          ///< length of a record's features, at most: longer ones are clipped
  double target_bound = 1;      ///< the target's size, at most
  double bandwidth = 0.5;       ///< of the kernel
  std::uint32_t projected = 0;  ///< numbers that a record becomes; 0: what the way finds best
  std::uint32_t cells = 0;      ///< of each feature; 0: the same
  std::uint32_t degree = 1;     ///< of the polynomial that stands for a smooth loss
  bool isotropic = false;       ///< a record's features are row_norm long and point anywhere: the design is known
};

}  // namespace sotto::analyzer
