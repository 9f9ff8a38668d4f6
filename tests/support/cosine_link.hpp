// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cmath>

#include "sotto/analyzer/math/link_table.hpp"

namespace sotto::analyzer {

/// f(u) = 8u + cos u for |u| <= range, the target in units of 8*range + 1.
[[nodiscard]] inline LinkTableData cosine_link(double range) {
  return link_table([](double u) { return 8 * u + std::cos(u); }, [](double u) { return 8 - std::sin(u); }, -range,
                    range, 8 * range + 1);
}

}  // namespace sotto::analyzer
