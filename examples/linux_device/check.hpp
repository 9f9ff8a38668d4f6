// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto-device run HOME --check FILE`: what the device would answer with. It opens no ledger and spends nothing.

#include "readings.hpp"
#include "sotto/wire/manifest.hpp"

/// Prints columns, units, rows, and for each column its range and how much of it is clipped. For the owner's eyes: these numbers are
/// private and nothing of them is sent.
void print_check(const sotto::Manifest& manifest, const Readings& readings);
