// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads a study file: the TOML text in which an analyst describes a study.

#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// Reads a study file, checks it and derives the randomizer's parameters. `file` is only used in messages.
/// Refuses   before parsing: study.too_large (16 MiB), study.too_deep (16 levels); study.syntax, study.missing_key,
///           study.unknown_key, study.wrong_type, study.bad_value, study.bad_epsilon, study.bad_delta, study.over_cap,
///           study.bad_dimension, study.bad_channel, study.bad_scale, study.bad_offset: each with file:line, the key,
///           the value and what to do.
[[nodiscard]] Result<Study> read_study(std::string_view text, std::string_view file);

}  // namespace sotto::analyzer
