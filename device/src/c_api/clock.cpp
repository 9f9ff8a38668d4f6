// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_clock_check(), in a file of its own so that only a firmware with a clock links it.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

sotto_status sotto_clock_check(const sotto_clock* clock, const void* round) {
  return static_cast<sotto_status>(check_clock(as<Clock>(clock), *static_cast<const Round*>(round)));
}
