// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "draws.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// How many of these devices report in each cohort.
[[nodiscard]] std::vector<std::uint64_t> cohort_sizes(const Manifest& manifest, std::uint64_t devices, double dropout,
                                                      Draws& draws);

}  // namespace sotto::analyzer
