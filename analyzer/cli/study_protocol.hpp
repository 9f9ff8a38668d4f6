// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How `sotto study` describes the protocol of a study.

#include "json.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// The object `protocol` of a study: which protocol and why, which cohort answers which round, and what is assumed
/// public.
[[nodiscard]] Json protocol_json(const analyzer::Study& study);
void print_protocol(const analyzer::Study& study);

}  // namespace sotto::cli
