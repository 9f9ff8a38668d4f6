// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::request {

/// Reads options that are not those of a command line but of a program, in the same words.
/// Refuses   usage: what the command line would refuse, in its words.
[[nodiscard]] Result<Done> parse_words(CLI::App& app, std::span<const std::string> words);

}  // namespace sotto::analyzer::request
