// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/files/owner_only.hpp"

namespace sotto::cli {

using analyzer::OwnerOnly;

}  // namespace sotto::cli
