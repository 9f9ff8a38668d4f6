// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The features that the analyzer of a label study holds: an interface that a file and a simulated fleet implement.

#include <cstdint>
#include <span>

#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// One row of features for each device that may answer. They are public, or the analyzer may hold them by agreement;
/// epsilon does not protect them. They are read again in each pass: a file is mapped, a simulated fleet generates its
/// rows.
class PublicDesign {
 public:
  PublicDesign() = default;
  PublicDesign(const PublicDesign&) = delete;
  PublicDesign& operator=(const PublicDesign&) = delete;
  virtual ~PublicDesign() = default;

  [[nodiscard]] virtual std::uint64_t rows() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t features() const noexcept = 0;
  /// The pseudonym of the row's device. Strictly ascending, so that reports are matched in one pass.
  [[nodiscard]] virtual std::uint64_t pseudonym(std::uint64_t row) const = 0;
  /// The features of a row as its device holds them, `features` numbers. Returns false if nothing is known of this
  /// device.
  virtual bool read(std::uint64_t row, std::span<Q15> out) const = 0;
};

}  // namespace sotto::analyzer
