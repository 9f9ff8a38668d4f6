// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// read_study() of compile/read_study.hpp, with the protocols that a file may ask for.
[[nodiscard]] Result<Study> parse_study(std::string_view text, std::string_view file, const StudyPlanner& planner);

}  // namespace sotto::analyzer
