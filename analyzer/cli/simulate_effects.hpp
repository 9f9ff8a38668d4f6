// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/request/effects.hpp"

namespace sotto::cli {

using analyzer::request::Effects;
using analyzer::request::read_effects;

}  // namespace sotto::cli
