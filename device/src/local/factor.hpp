// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

inline constexpr std::uint32_t k_factor_size_max = 32;
/// Pivots below 2^-23 of the matrix's scale are raised to it.
inline constexpr std::uint32_t k_pivot_floor_log2 = 23;

/// A symmetric matrix with diagonal in [1/4, 1), Q28, as M = C D C': C lower triangular with 2^-p_k on its diagonal and
/// entries below 2, D diagonal in [1/4, 1]. So all entries are bounded whatever the pivots are, as in a Cholesky
/// factor, but without square roots.
///
/// Formats: matrix, C and D Q28; the diagonal of the triangle keeps 1/D, Q28 (1 to 4). Sums of products Q56 in int64.
struct Factor {
  /// The state of an unknown beside its row.
  struct Unknown {
    std::int64_t gradient;  ///< least squares: X'(y - X b) - ridge b, Q39
    std::int32_t z;         ///< the right side, then the solution
    std::uint16_t offset;   ///< least squares: offset of the column in a row
    std::int8_t scale;      ///< least squares: its row and column of the matrix are 2^scale times the samples'
    std::uint8_t exponent;  ///< p_k, at most 12
  };
  std::int32_t* triangle;  ///< by rows: entry (i, j), j <= i, at i(i+1)/2 + j
  std::span<Unknown> unknown;
};

[[nodiscard]] constexpr std::size_t triangle_size(std::size_t size) noexcept { return size * (size + 1) / 2; }

/// Replaces the matrix in the triangle by its factor. Never fails: a pivot that is too small, or negative from
/// rounding, is raised to the floor, which amounts to adding to the diagonal of the matrix.
void factorise(const Factor& factor) noexcept;

/// Solves M x = z in place, |z| <= 2^27: x = z * 2^(returned number). Block floating point: one exponent for all
/// unknowns, chosen so that |z| has at most 28 bits; rounding costs 2^-28 of the largest at each of the 2*size steps.
[[nodiscard]] std::int32_t solve(const Factor& factor) noexcept;

}  // namespace sotto
