// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "lifted.hpp"

// The packed products of one record, shared by the two questions about moments.
namespace sotto {

[[nodiscard]] constexpr std::uint32_t packed_size(std::uint32_t features) noexcept {  // at most 65535: below 2^32
  return features * (features + 1) / 2 + features;
}

/// Keeps all products of a record's coordinates (Q24, at most 1) with each other and with the target, to nearest, lifted.
void keep_products(const Asked& asked, const std::span<const std::int32_t>& z, Q15 target,
                   const std::span<std::int32_t>& out) noexcept;

/// Recipe packed.
[[nodiscard]] Status check_packed(const Asked& asked, AnswerPlan& plan) noexcept;
void prepare_packed(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept;

}  // namespace sotto
