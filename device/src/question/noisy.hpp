// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"
#include "sotto/spec/gaussian.hpp"

// Integers on a grid with discrete Gaussian noise: shared by label, sketch, synopsis and update. Each number is sent in
// three bytes, two's complement.
namespace sotto {

inline constexpr std::size_t k_noisy_bytes = 3;

/// Certifies the Gaussian for a vector of this size at the manifest's (epsilon, delta).
/// Refuses  bad_channel: another stem; bad_dimension; bad_field: the fourth integer; what certify() refuses.
[[nodiscard]] Status check_noisy(Asked& asked, std::uint32_t size) noexcept;
/// Where the integers are kept; gaussian() clips them to the ball once more.
[[nodiscard]] std::span<std::int32_t> noisy_answer(const Asked& asked) noexcept;
[[nodiscard]] std::uint32_t noisy_radius(const Asked& asked) noexcept;
void report_noisy(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;

/// How a record's features and target share the ball of radius G: the parameters recipe::record of sketch and synopsis.
/// At most 4096 copies.
/// Refuses  bad_field: a number outside its range; bad_channel: copies * feature_steps^2 + target_steps^2 is above G^2.
[[nodiscard]] Status check_record_ball(const Asked& asked, std::uint32_t copies) noexcept;
/// Maps the features, the first numbers of the answer, to their grid, and the record's target, the last number, to its
/// own.
void keep_record(const Asked& asked, const ChosenRow& chosen, const std::span<std::int32_t>& features_q24) noexcept;

}  // namespace sotto
