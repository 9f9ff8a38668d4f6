// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// Reads a study file (TOML) and compiles it to the spec of a randomizer. `file` is only for messages.
/// Refuses   study.too_large (16 MiB), study.too_deep (16 levels), before anything is parsed; study.syntax, study.missing_key, study.unknown_key, study.wrong_type, study.bad_value, study.bad_epsilon,
///           study.bad_delta, study.over_cap, study.bad_dimension, study.bad_channel, study.bad_scale, study.bad_offset: each with file:line,
///           the key, the value, the fix.
[[nodiscard]] Result<Study> read_study(std::string_view text, std::string_view file);

}  // namespace sotto::analyzer
