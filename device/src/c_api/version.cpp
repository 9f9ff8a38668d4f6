// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The versions of the library and its formats, and the names of statuses.
#include "sotto.h"
#include "sotto/ledger/image.hpp"
#include "sotto/status_name.hpp"
#include "sotto/wire/manifest.hpp"

#ifndef SOTTO_VERSION_NUMBER
#error "the build names the version"
#endif
static_assert(SOTTO_VERSION_NUMBER == SOTTO_VERSION, "sotto/statuses.h has the version of another release");

uint32_t sotto_version(void) { return SOTTO_VERSION_NUMBER; }
uint32_t sotto_wire_version(void) { return sotto::k_wire_version; }
uint32_t sotto_ledger_version(void) { return sotto::k_ledger_version; }

const char* sotto_status_text(sotto_status status) { return sotto::status_name(static_cast<sotto::Status>(status)); }
