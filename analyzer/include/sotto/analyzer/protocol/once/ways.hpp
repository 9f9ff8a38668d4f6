// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The protocols that collect every report once, and the ways in which each can ask.

#include <vector>

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// Ways that a protocol which collects once knows, the paper's first; none of any other.
[[nodiscard]] std::vector<OnceWay> ways_of(ProtocolKind kind);

}  // namespace sotto::analyzer
