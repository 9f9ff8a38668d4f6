// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger functions of sotto.h.
#include <new>

#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

constexpr sotto_ledger_hooks k_no_hooks = {nullptr, nullptr, nullptr};

[[nodiscard]] sotto_status code(Status status) noexcept { return static_cast<sotto_status>(status); }

/// The policy and the entropy source of a new ledger; without a policy an existing ledger is opened.
struct Creation {
  const sotto_policy* policy = nullptr;
  const sotto_entropy* entropy = nullptr;
};

[[nodiscard]] sotto_status start(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const Creation& creation) noexcept {
  const Occupancy before = found_in(ledger);
  if (before.is_busy()) return code(Status::busy);  // a hook of this ledger called back
  auto& made = *new (ledger) Ledger(as<LedgerMemory>(memory), before.life);
  if (hooks == nullptr) hooks = &k_no_hooks;
  // A counter whose `settle` was not set would count nothing.
  if (hooks->counter != nullptr && hooks->counter->settle == nullptr) return code(Status::counter_fault);
  // A key whose `tag` was not set would authenticate nothing.
  if (hooks->key != nullptr && (hooks->key->tag == nullptr || hooks->key->code == nullptr))
    return code(Status::ledger_foreign);
  const auto& used = as<LedgerHooks>(hooks);
  if (creation.policy == nullptr) return code(made.open(as<Flash>(flash), used));
  if (memory->report_bytes - 1u >= k_report_max_bytes) return code(Status::bad_report_size);
  return code(made.create(as<Flash>(flash), used, as<Policy>(creation.policy), as<EntropySource>(creation.entropy)));
}

}  // namespace

sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy) {
  if (policy == nullptr) return code(Status::no_ledger);
  if (entropy == nullptr) return code(Status::entropy_not_ready);
  return start(ledger, memory, flash, hooks, {policy, entropy});
}

sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                               const sotto_ledger_hooks* hooks) {
  return start(ledger, memory, flash, hooks, {});
}

void sotto_ledger_close(sotto_ledger* ledger) { as<Ledger>(ledger).close(); }

sotto_status sotto_ledger_set_consent(sotto_ledger* ledger, bool on) {
  return code(as<Ledger>(ledger).set_consent(on));
}

sotto_status sotto_ledger_set_policy(sotto_ledger* ledger, const sotto_policy* policy) {
  return code(as<Ledger>(ledger).set_policy(as<Policy>(policy)));
}

sotto_charge sotto_ledger_spent(const sotto_ledger* ledger) {
  const Charge spent = as<Ledger>(ledger).total_spent();
  return {spent.epsilon, spent.delta};
}

bool sotto_ledger_consent(const sotto_ledger* ledger) { return as<Ledger>(ledger).consent(); }

sotto_status sotto_enrol(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                         const sotto_credential* credential, const sotto_hooks* hooks) {
  if (credential == nullptr) return code(Status::needs_credential);
  return code(enrol(as<Ledger>(ledger), {manifest, manifest_bytes},
                    {credential->pseudonym, &as<ReportKey>(&credential->key)}, as<SessionHooks>(hooks)));
}

sotto_status sotto_enrol_plain(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                               const sotto_hooks* hooks) {
  return code(enrol_plain(as<Ledger>(ledger), {manifest, manifest_bytes}, as<SessionHooks>(hooks)));
}

sotto_status sotto_ledger_remove(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes) {
  Manifest decoded;
  if (const Status s = decode_manifest({manifest, manifest_bytes}, decoded); s != Status::ok) return code(s);
  Digest study;
  sha256(decoded.bytes.body, study);
  return code(as<Ledger>(ledger).remove(study));
}
