// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Access to the library's C++ objects behind the structs of sotto.h.

#include <cstddef>
#include <cstdint>

#include "sotto.h"
#include "sotto/aead.hpp"
#include "sotto/session/session.hpp"
#include "sotto/wipe.hpp"

// The structs of sotto.h have the same members in the same order as those of the library; the assertions check it. Those
// of the library are declared may_alias, so that the compiler takes accesses through either for the same memory.
namespace sotto::c_api {

#define SOTTO_SAME(c, c_member, cpp, cpp_member) static_assert(offsetof(c, c_member) == offsetof(cpp, cpp_member))
static_assert(sizeof(sotto_entropy) == sizeof(EntropySource) && sizeof(sotto_flash) == sizeof(Flash) &&
              sizeof(sotto_lock) == sizeof(Lock) && sizeof(sotto_counter) == sizeof(Counter) &&
              sizeof(sotto_image_key) == sizeof(ImageKey) && sizeof(sotto_ledger_hooks) == sizeof(LedgerHooks) &&
              sizeof(sotto_ledger_memory) == sizeof(LedgerMemory) && sizeof(sotto_samples) == sizeof(HeldRows) &&
              sizeof(sotto_local) == sizeof(LocalData) && sizeof(sotto_numbers) == sizeof(HeldNumbers) &&
              sizeof(sotto_policy) == sizeof(Policy) && sizeof(sotto_charge) == sizeof(Charge) &&
              sizeof(sotto_aead_text) == sizeof(AeadText) && sizeof(sotto_hooks) == sizeof(SessionHooks) &&
              sizeof(sotto_clock) == sizeof(Clock));
SOTTO_SAME(sotto_aead_text, tag, AeadText, tag);
SOTTO_SAME(sotto_entropy, read, EntropySource, read);
SOTTO_SAME(sotto_counter, settle, Counter, settle);
SOTTO_SAME(sotto_image_key, tag, ImageKey, tag);
SOTTO_SAME(sotto_ledger_hooks, key, LedgerHooks, key);
SOTTO_SAME(sotto_ledger_hooks, protect, LedgerHooks, protect);
SOTTO_SAME(sotto_flash, sync, Flash, sync);
SOTTO_SAME(sotto_flash, sector_bytes, Flash, geometry);
SOTTO_SAME(sotto_ledger_memory, bytes, LedgerMemory, bytes);
SOTTO_SAME(sotto_ledger_memory, report_bytes, LedgerMemory, report_bytes);
SOTTO_SAME(sotto_samples, stride, HeldRows, stride);
SOTTO_SAME(sotto_samples, read, HeldRows, read);
SOTTO_SAME(sotto_local, given, LocalData, given);
SOTTO_SAME(sotto_local, numbers, LocalData, numbers);
SOTTO_SAME(sotto_numbers, read, HeldNumbers, read);
SOTTO_SAME(sotto_local, item_bytes, LocalData, item_bytes);
SOTTO_SAME(sotto_local, item, LocalData, item);
SOTTO_SAME(sotto_policy, total, Policy, total);
SOTTO_SAME(sotto_hooks, questions, SessionHooks, questions);  // a span: pointer, then length
SOTTO_SAME(sotto_hooks, verify_context, SessionHooks, verify);
SOTTO_SAME(sotto_hooks, aead_context, SessionHooks, aead);
SOTTO_SAME(sotto_hooks, clock, SessionHooks, clock);
SOTTO_SAME(sotto_clock, check, Clock, check);
SOTTO_SAME(sotto_hooks, time_observed, SessionHooks, time_observed);
#undef SOTTO_SAME
static_assert(offsetof(FlashGeometry, sectors) == 4 && offsetof(FlashGeometry, program_unit) == 6 &&
              offsetof(FlashGeometry, erased) == 7);

static_assert(SOTTO_LEDGER_MEMORY_BYTES(3, 34) == ledger_memory_bytes(3, 34) &&
              SOTTO_LEDGER_MEMORY_BYTES(2, 35) == ledger_memory_bytes(2, 35));
static_assert(sizeof(Ledger) <= sizeof(sotto_ledger) && alignof(Ledger) <= alignof(sotto_ledger));
static_assert(sizeof(Session) <= sizeof(sotto_session) && alignof(Session) <= alignof(sotto_session));

template <class Cpp, class C>
[[nodiscard]] Cpp& as(C* c) noexcept {
  return *reinterpret_cast<Cpp*>(c);
}
template <class Cpp, class C>
[[nodiscard]] const Cpp& as(const C* c) noexcept {
  return *reinterpret_cast<const Cpp*>(c);
}

}  // namespace sotto::c_api
