// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/collect/master_key.hpp"

namespace sotto::cli {

using analyzer::HeldKey;
using analyzer::k_key_file_bytes;
using analyzer::load_master_key;
using analyzer::load_or_draw_master_key;
using analyzer::no_key_was_lost;

}  // namespace sotto::cli
