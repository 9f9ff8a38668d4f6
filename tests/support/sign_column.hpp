// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/public_coins.hpp"

namespace sotto {

/// One column of the matrix of sign_project(), 1 or -1 for each output, coin by coin as sotto/local/sign_projection.hpp names them.
inline void sign_column(const CoinLabel& label, std::uint32_t feature, const std::span<std::int8_t>& signs) {
  PublicCoins coins{{label.study_seed, 0, label.round}, CoinPurpose::shared_projection};
  for (std::size_t j = 0; j < signs.size(); ++j) {
    coins.seek(static_cast<std::uint32_t>(4 * ((feature / 4) * (signs.size() / 8) + j / 8)));
    signs[j] = (coins.word() >> (4 * (j % 8) + feature % 4) & 1u) != 0 ? std::int8_t{-1} : std::int8_t{1};
  }
}

}  // namespace sotto
