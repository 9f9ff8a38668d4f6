// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger functions of sotto.h.
#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

constexpr sotto_ledger_hooks k_no_hooks = {nullptr, nullptr, nullptr, nullptr};

[[nodiscard]] sotto_status code(Status status) noexcept { return static_cast<sotto_status>(status); }

/// Without a creation an existing ledger is opened.
[[nodiscard]] sotto_status start(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const Ledger::Creation* creation) noexcept {
  if (found_in(ledger).is_busy()) return code(Status::busy);  // a hook of this ledger called back
  auto& made = as<Ledger>(ledger);
  made.lie_in(as<LedgerMemory>(memory));
  if (hooks == nullptr)
    hooks = &k_no_hooks;
  else if (hooks->protect == nullptr)
    return code(Status::ledger_foreign);  // they would protect nothing
  return code(made.start(as<Flash>(flash), as<LedgerHooks>(hooks), creation));
}

}  // namespace

sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy) {
  if (policy == nullptr) return code(Status::no_ledger);
  if (entropy == nullptr) return code(Status::entropy_not_ready);
  const Ledger::Creation creation{as<Policy>(policy), as<EntropySource>(entropy)};
  return start(ledger, memory, flash, hooks, &creation);
}

sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                               const sotto_ledger_hooks* hooks) {
  return start(ledger, memory, flash, hooks, nullptr);
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
