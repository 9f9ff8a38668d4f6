// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/ledger/ledger.hpp"

namespace sotto {

/// Every public call on an open ledger.
template <class Body>
Status Ledger::guarded(Body body) noexcept {
  const Status status = enter(hooks_);
  return status == Status::ok ? leave(body()) : status;
}

}  // namespace sotto
