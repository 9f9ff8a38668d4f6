// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// The features that the analyzer holds of a label study, one row for each device that may answer. They are public, or agreed to be in the
/// analyzer's hands; nothing here is protected by epsilon. Read again for every pass over it: a file is mapped, a simulated fleet makes
/// its rows anew.
class PublicDesign {
 public:
  PublicDesign() = default;
  PublicDesign(const PublicDesign&) = delete;
  PublicDesign& operator=(const PublicDesign&) = delete;
  virtual ~PublicDesign() = default;

  [[nodiscard]] virtual std::uint64_t rows() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t features() const noexcept = 0;
  /// Whose row it is. Rises strictly with the row, so that reports are found by one walk.
  [[nodiscard]] virtual std::uint64_t pseudonym(std::uint64_t row) const = 0;
  /// The features of a row as its device holds them, `features` numbers. False: nothing is known of this device.
  virtual bool read(std::uint64_t row, std::span<Q15> out) const = 0;
};

}  // namespace sotto::analyzer
