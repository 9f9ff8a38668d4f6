// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/coins/private_coins.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

/// Two seeds, so that a source which repeats itself is noticed even by a session's only report, and would not give every device the
/// same pseudonym; and the ledger's secret, which the source gave when the ledger was created (proofs/private_coins.md).
/// Refuses  what PrivateCoins::begin_report() refuses.
Status seed_coins(PrivateCoins& coins, Ledger& ledger, const EntropySource& source) noexcept;

}  // namespace sotto
