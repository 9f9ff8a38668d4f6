// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// JSON output of the command line.

#include <string>

#include <nlohmann/json.hpp>

namespace sotto::analyzer::request {

/// Objects keep the order of insertion, so that the answer comes before the details.
using Json = nlohmann::ordered_json;

/// The text of an object, with a line feed at the end. A byte of a string that is not UTF-8 is written as the four
/// characters \\xff instead of throwing; characters that control a terminal are written as \\u escapes, which JSON
/// readers decode.
[[nodiscard]] std::string json_text(const Json& object);
/// The same in one line, without a line feed, for scripts that read lines.
[[nodiscard]] std::string json_line(const Json& object);

}  // namespace sotto::analyzer::request
