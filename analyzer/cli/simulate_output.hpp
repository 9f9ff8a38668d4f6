// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Output of `sotto simulate` as text for the terminal.

#include <vector>

#include "simulate.hpp"

namespace sotto::cli {

void print_simulation(const SimulateOptions& options, const ChoiceResults& results, double seconds);
void print_comparison(const SimulateOptions& options, const std::vector<ChoiceResults>& results, double seconds);

}  // namespace sotto::cli
