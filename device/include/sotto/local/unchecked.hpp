// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The local estimators without the checks of their public functions, for questions: the question's own check has
/// already refused what these functions would, from the round, the manifest and the size of the work space.

#include "sotto/local/fourier.hpp"
#include "sotto/local/gradient.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/readings.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/local/screen.hpp"
#include "sotto/local/update.hpp"

namespace sotto {

/// |offset| <= 2^61, shift <= 61.
[[nodiscard]] Q15 reading_unchecked(std::int32_t reading, const ReadingScale& scale) noexcept;

/// `centre_q24` has one number for each column, or is nullptr. `difference_q24` has one number for each column.
void least_squares_unchecked(const LeastSquaresSpec& spec, const ColumnView& view, const std::int32_t* centre_q24,
                             const std::span<std::byte>& work, const std::span<std::int32_t>& difference_q24) noexcept;

/// The checks that gradient() and update() share.
[[nodiscard]] Status gradient_check(const GradientSpec& spec, const Samples& samples, const SparseModel& at,
                                    const std::span<const std::uint16_t>& chosen, std::size_t out) noexcept;
/// The gradient over rows first .. first+count-1, which the device must hold, divided by spec.nominal_rows.
void gradient_unchecked(const GradientSpec& spec, const Samples& samples, std::uint32_t first, std::uint32_t count,
                        const SparseModel& at, const std::span<const std::uint16_t>& chosen,
                        const std::span<std::int32_t>& out_q24) noexcept;

/// The samples must have at most nominal_rows rows, as nominal_samples() ensures.
void column_means_unchecked(std::uint32_t nominal_rows, const Samples& samples,
                            const std::span<const std::uint16_t>& chosen,
                            const std::span<std::int32_t>& out_q24) noexcept;

/// `strengths` is nullptr, or receives a number of 24 bits for every column, negative if the score is.
void screen_unchecked(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                      const std::span<std::byte>& work, const std::span<ScreenedColumn>& best,
                      std::int32_t* strengths) noexcept;

void cubed_scores_unchecked(const ScreenSpec& spec, const Samples& samples,
                            const std::span<const std::int32_t>& residual_q24, const std::span<std::byte>& work,
                            const std::span<std::int32_t>& out_q24) noexcept;

/// scad() with this many weighted rounds; with none it is lasso().
void selection_unchecked(const ScadSpec& spec, std::uint32_t rounds, const ColumnView& view,
                         const std::span<std::byte>& work, const std::span<std::int32_t>& beta_q24) noexcept;

/// The samples must have at most the nominal number of rows.
void update_unchecked(const UpdateSpec& spec, const Samples& samples, const SparseModel& broadcast,
                      const std::span<std::byte>& work, const std::span<std::int32_t>& difference_q24) noexcept;

/// `unit` has one number more than g_q24.
void lift_unchecked(const std::span<const std::int32_t>& g_q24, std::uint32_t radius_q24, Q15* unit) noexcept;

void grid_ball_unchecked(const std::span<std::int32_t>& v_q24, std::uint32_t radius_q24,
                         std::uint32_t grid_radius) noexcept;

void fourier_features_unchecked(const FourierSpec& spec, const Samples& samples, std::uint32_t row,
                                const std::span<std::int32_t>& z_q24) noexcept;

void sign_project_unchecked(const CoinLabel& label, const Samples& samples, std::uint32_t row,
                            const std::span<std::int32_t>& z_q24) noexcept;

void hadamard_project_unchecked(const CoinLabel& label, std::uint32_t block, const Samples& samples, std::uint32_t row,
                                const std::span<std::byte>& work, const std::span<std::int32_t>& z_q24) noexcept;

}  // namespace sotto
