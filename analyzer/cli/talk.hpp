// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How verbs report results, refusals and progress.

#include <cstdint>
#include <string_view>

#include "exit.hpp"
#include "json.hpp"
#include "say.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Prints one JSON object, the only output on stdout. Whatever its strings hold, the output is valid JSON and does not
/// control a terminal (json_text).
void print_json(const Json& object);

/// Prints on stderr what was refused, the offending value and the fix; with `json` the same as an object on stdout,
/// joined with `beside`. Returns the exit code.
int refuse(const analyzer::Error& error, bool json, Exit code = refused, const Json& beside = Json::object());

/// Whether stderr is a terminal.
[[nodiscard]] bool stderr_is_terminal();

/// A progress line on stderr. Silent unless stderr is a terminal.
class Progress {
 public:
  Progress(std::string_view what, std::uint64_t total, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void at(std::uint64_t done);
  /// Removes the line, so that later output starts on a clean one.
  void finish();

 private:
  std::string_view what_;
  std::uint64_t total_;
  bool shown_;
  int last_percent_ = -1;
};

}  // namespace sotto::cli
