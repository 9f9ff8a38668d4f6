// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "place.hpp"

// What k_bin and k_bin_cells share: a category that is reported through a frequency oracle.
namespace sotto {

/// The number of categories of the round's spec.
[[nodiscard]] std::uint32_t bins(const Round& round) noexcept;
/// Certifies grr, walsh_hash or hadamard_response.
/// Refuses  bad_channel: another stem; bad_field; what certify() refuses.
[[nodiscard]] Status check_category(Asked& asked) noexcept;
/// Stores the bin of a place in its range.
void keep_bin(const Asked& asked, const Position& at) noexcept;
void report_category(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;

[[nodiscard]] Status check_bin(Asked& asked) noexcept;
void prepare_bin(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept;

}  // namespace sotto
