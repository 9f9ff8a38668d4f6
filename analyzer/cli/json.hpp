// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/request/json.hpp"

namespace sotto::cli {

using analyzer::request::Json;
using analyzer::request::json_line;
using analyzer::request::json_text;

}  // namespace sotto::cli
