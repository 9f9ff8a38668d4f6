// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The truth behind a simulated vote: what each device would answer. A device's answer is a function of the seed and of
/// its number, so that any thread can ask for any device.
class VoteWorld {
 public:
  /// 1 <= heavy <= features, 0 <= empty <= 1.
  VoteWorld(std::uint64_t seed, std::uint32_t features, std::uint32_t heavy, double empty);

  /// A feature, or `features` for none.
  [[nodiscard]] std::uint32_t answer(std::uint64_t device) const noexcept;
  /// Features that carry votes, the heaviest first.
  [[nodiscard]] const std::vector<std::uint32_t>& heavy() const noexcept { return heavy_; }
  /// The public seed of the simulated study.
  [[nodiscard]] const Digest& study_seed() const noexcept { return study_seed_; }

 private:
  std::uint64_t seed_;
  std::uint32_t features_;
  double empty_;
  std::vector<std::uint32_t> heavy_;
  std::vector<double> up_to_;  ///< up_to_[i]: share of the votes that the heavy features 0..i carry together
  Digest study_seed_{};
};

}  // namespace sotto::analyzer
