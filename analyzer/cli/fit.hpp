// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto fit`: what its source files share beside the library's fit.

#include <string>

#include "sotto/analyzer/request/fit.hpp"

namespace sotto::cli {

using analyzer::request::FitOptions;
using analyzer::request::FitOutcome;
using analyzer::request::MethodResult;

/// What is asked, and where the answer goes.
struct FitCommand {
  FitOptions fit;
  std::string out;
  bool json = false;
};

int run_fit(const FitCommand& command);

/// Checks that fit.json and report.html may be written to --out.
/// Refuses   fit.out_in_use: a model or page is there that no earlier fit wrote.
[[nodiscard]] analyzer::Result<analyzer::Done> check_out(const std::string& out);
/// Writes fit.json and report.html.
/// Refuses   as check_out, store.busy, io.*.
[[nodiscard]] analyzer::Result<analyzer::Done> write_out(const FitCommand& command, const FitOutcome& outcome);

void print_outcome(const FitCommand& command, const FitOutcome& outcome);

}  // namespace sotto::cli
