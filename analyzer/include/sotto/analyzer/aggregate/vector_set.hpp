// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Keeps individual vectors with discrete Gaussian noise, for estimators that sums cannot serve: unbiased estimates of
/// polynomials of degree above 1 multiply several noisy copies within one device's report (protocol smooth-glm).

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {

/// The set of reported vectors. They are read by rising pseudonym, in whatever order and parts they arrived. Each
/// number takes 4 bytes of memory.
///
/// Bytes of save(), little-endian: version 1 (1), digest of the spec (32), refused (8), number of reports (8), then for
/// each report by rising pseudonym the pseudonym (8) and its numbers (4 each, two's complement), SHA-256 of all bytes
/// before it (32).
class VectorSet {
 public:
  /// Refuses  what check_spec() refuses.
  static Result<VectorSet> open(const GaussianSpec& spec);

  /// Refuses  a report of another dimension, and every report after 2^32 - 1: returns false and counts it as refused.
  bool absorb(std::uint64_t pseudonym, std::span<const std::int32_t> report);
  /// Refuses  aggregate.other_spec.
  Result<Done> merge(const VectorSet& other);
  void save(std::vector<std::uint8_t>& out) const;
  /// Refuses  aggregate.truncated, .bad_version, .other_spec, .altered.
  static Result<VectorSet> load(const GaussianSpec& spec, std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::uint64_t used() const noexcept { return pseudonyms_.size(); }
  [[nodiscard]] std::uint32_t dimension() const noexcept { return dimension_; }
  /// Indices of the reports by rising pseudonym.
  [[nodiscard]] std::vector<std::uint32_t> order() const;
  [[nodiscard]] std::span<const std::int32_t> report(std::uint32_t at) const noexcept {
    return std::span(numbers_).subspan(std::size_t{at} * dimension_, dimension_);
  }

 private:
  VectorSet(const Digest& spec, std::uint32_t dimension) : spec_(spec), dimension_(dimension) {}

  Digest spec_;
  std::uint32_t dimension_;
  std::uint64_t refused_ = 0;
  std::vector<std::uint64_t> pseudonyms_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace sotto::analyzer
