// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_ledger_protect(), in a file of its own so that only a firmware with a lock, a counter or a key links it.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

sotto_status sotto_ledger_protect(const sotto_ledger_hooks* hooks, void* image, uint8_t moment, void* fault) {
  return static_cast<sotto_status>(protect_ledger(as<LedgerHooks>(hooks), *static_cast<ImageHead*>(image),
                                                  static_cast<Moment>(moment), *static_cast<Status*>(fault)));
}
