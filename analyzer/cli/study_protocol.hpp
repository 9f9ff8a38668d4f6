// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "json.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// Of a study with [protocol]: which one and why, who is asked in which round, what is assumed to be public.
[[nodiscard]] Json protocol_json(const analyzer::Study& study);
void print_protocol(const analyzer::Study& study);

}  // namespace sotto::cli
