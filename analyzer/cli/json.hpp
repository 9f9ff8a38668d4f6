// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <nlohmann/json.hpp>

namespace sotto::cli {

/// Objects keep the order in which they were written: the reader sees the answer before the details.
using Json = nlohmann::ordered_json;

}  // namespace sotto::cli
