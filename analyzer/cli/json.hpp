// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sotto::cli {

/// Objects keep the order in which they were written: the reader sees the answer before the details.
using Json = nlohmann::ordered_json;

/// The text of an object, with a line feed behind it. A byte of a string that is no UTF-8 stands as \\xff, four
/// letters, in place of an exception; characters that steer a terminal stand as \u escapes, which readers of JSON turn
/// back into them.
[[nodiscard]] std::string json_text(const Json& object);

}  // namespace sotto::cli
