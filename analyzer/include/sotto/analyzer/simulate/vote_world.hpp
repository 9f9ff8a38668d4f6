// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The truth of a simulated vote: which feature each device votes for.

#include <cstdint>
#include <vector>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// A device's answer is a function of the seed and its number, so any thread can compute it for any device.
class VoteWorld {
 public:
  /// 1 <= heavy <= features, 0 <= empty <= 1.
  VoteWorld(std::uint64_t seed, std::uint32_t features, std::uint32_t heavy, double empty);

  /// A feature, or `features` for none.
  [[nodiscard]] std::uint32_t answer(std::uint64_t device) const noexcept;
  /// The features with votes, the most frequent first.
  [[nodiscard]] const std::vector<std::uint32_t>& heavy() const noexcept { return heavy_; }
  /// The public seed of the simulated study.
  [[nodiscard]] const Digest& study_seed() const noexcept { return study_seed_; }

 private:
  std::uint64_t seed_;
  std::uint32_t features_;
  double empty_;
  std::vector<std::uint32_t> heavy_;
  std::vector<double> up_to_;  ///< up_to_[i]: cumulative share of the votes of heavy features 0..i
  Digest study_seed_{};
};

}  // namespace sotto::analyzer
