// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The same, with the numbers of shared/spec/LEDGER.md.
#define SOTTO_ROT_LIVES 50000
#include "test_rot.cpp"
