// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string_view>

#include "exit.hpp"
#include "json.hpp"
#include "say.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// One JSON object on stdout and nothing else there. Whatever its strings hold, it is JSON, and steers no terminal
/// (json_text).
void print_json(const Json& object);

/// Says on stderr what was refused, the offending value and the fix; with `json` the same as an object on stdout.
/// `beside` joins the object. Gives back the exit code.
int refuse(const analyzer::Error& error, bool json, Exit code = refused, const Json& beside = Json::object());

/// Can somebody watch stderr?
[[nodiscard]] bool stderr_is_terminal();

/// A line on stderr that moves while work goes on. Silent unless stderr is a terminal.
class Progress {
 public:
  Progress(std::string_view what, std::uint64_t total, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void at(std::uint64_t done);
  /// Removes the line, so that what follows starts on a clean one.
  void finish();

 private:
  std::string_view what_;
  std::uint64_t total_;
  bool shown_;
  int last_percent_ = -1;
};

}  // namespace sotto::cli
