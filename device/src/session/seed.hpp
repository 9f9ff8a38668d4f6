// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Seeds the private coins of a report.

#include "sotto/coins/private_coins.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

/// Seeds the coins with two reads of the entropy source and with the ledger's secret. Two reads, so that a source which
/// repeats its output is detected even if a session makes only one report, and does not give all devices the same
/// pseudonym. The secret was drawn when the ledger was created (device/proofs/private_coins.md).
/// Refuses  what PrivateCoins::begin_report() refuses.
Status seed_coins(PrivateCoins& coins, Ledger& ledger, const EntropySource& source) noexcept;

}  // namespace sotto
