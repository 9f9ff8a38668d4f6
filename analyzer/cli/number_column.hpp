// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/request/number_column.hpp"

namespace sotto::cli {

using analyzer::request::read_number_column;

}  // namespace sotto::cli
