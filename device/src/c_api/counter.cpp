// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_counter_settle(), in a file of its own so that only a firmware with a counter links it.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

sotto_status sotto_counter_settle(const sotto_counter* counter, uint32_t* acts, uint8_t what) {
  return static_cast<sotto_status>(settle_counter(as<Counter>(counter), *acts, static_cast<Settle>(what)));
}
