// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The terms of a study that collects once: a protocol in which each device sends one report and there is one round.

#include <cstdint>
#include <optional>
#include <string_view>

#include "sotto/units.hpp"

namespace sotto::analyzer {

/// What the devices of a protocol that collects once are asked for.
enum class OnceWay : std::uint8_t {
  automatic,  ///< the way with the smallest predicted error
  paper,      ///< vectors with additive noise, as in the paper, with corrections
  moments,    ///< the products of one record's features and target, packed into one vector in a ball
  direct,     ///< the quantity itself, a vector in a ball
  binned,     ///< the cell of a grid that one record lies in, and the sign of its target
};
[[nodiscard]] std::string_view way_name(OnceWay way);
/// Parses the words of study files and of the command line; "default" is automatic, "projected" the paper's way for a
/// mean.
[[nodiscard]] std::optional<OnceWay> parse_way(std::string_view word);

/// The terms of a study that collects once, besides those of every regression study. Sizes are fractions of the full
/// scale of features and target, the unit in which devices compute.
struct OnceTerms {
  OnceWay way = OnceWay::automatic;
  DeltaUnits delta = 0;         ///< that a report may spend; if 0, only the purely epsilon-private ways remain
  double row_norm = 1;          ///< largest l2 norm of a record's features; longer ones are clipped
  double target_bound = 1;      ///< largest absolute value of the target
  double bandwidth = 0.5;       ///< of the kernel
  std::uint32_t projected = 0;  ///< dimension of a record's projection; 0: chosen by the protocol
  std::uint32_t cells = 0;      ///< cells of each feature's grid; 0: chosen by the protocol
  std::uint32_t degree = 1;     ///< of the polynomial that approximates a smooth loss
  bool isotropic = false;       ///< features have norm row_norm and a uniform direction: the design's law is known
};

}  // namespace sotto::analyzer
