// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reading a study file, given the protocols that it may name.

#include <string_view>

#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// read_study() of compile/read_study.hpp, with the protocol registry passed in.
[[nodiscard]] Result<Study> parse_study(std::string_view text, std::string_view file, const StudyPlanner& planner);

}  // namespace sotto::analyzer
