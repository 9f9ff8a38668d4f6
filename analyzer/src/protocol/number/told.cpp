// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "told.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer {

std::string told(double value, double width) {
  constexpr int k_decimals_max = 6;
  const bool is_known = width > 0 && std::isfinite(width);
  const int decimals =
      is_known ? std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 0, k_decimals_max) : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace sotto::analyzer
