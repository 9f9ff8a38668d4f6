// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <new>

#include "layout.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

constexpr sotto_ledger_hooks k_no_hooks = {nullptr, nullptr, nullptr};

[[nodiscard]] sotto_status code(Status status) noexcept { return static_cast<sotto_status>(status); }

/// Creates a ledger with a policy, opens one without.
[[nodiscard]] sotto_status start(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy) noexcept {
  auto& made = *new (ledger) Ledger(as<LedgerMemory>(memory));
  if (hooks == nullptr) hooks = &k_no_hooks;
  if (policy != nullptr && memory->report_bytes - 1u >= k_report_max_bytes) return code(Status::bad_report_size);
  // A counter whose `settle` was forgotten would count nothing.
  if (hooks->counter != nullptr && hooks->counter->settle == nullptr) return code(Status::counter_fault);
  // Nor would a key whose `tag` was forgotten keep anything.
  if (hooks->key != nullptr && (hooks->key->tag == nullptr || hooks->key->code == nullptr))
    return code(Status::ledger_foreign);
  const auto& used = as<LedgerHooks>(hooks);
  return code(policy == nullptr ? made.open(as<Flash>(flash), used)
                                : made.create(as<Flash>(flash), used, as<Policy>(policy), as<EntropySource>(entropy)));
}

/// A study is enrolled once and for ever, so the wrong way to enrol it is refused.
[[nodiscard]] Status digest_of(const uint8_t* manifest, size_t bytes, bool with_key, Digest& out) noexcept {
  Manifest decoded;
  if (const Status s = decode_manifest({manifest, bytes}, decoded); s != Status::ok) return s;
  if (decoded.authenticated && !with_key) return Status::needs_credential;
  sha256(decoded.body, out);
  return Status::ok;
}

}  // namespace

sotto_status sotto_ledger_create(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                                 const sotto_ledger_hooks* hooks, const sotto_policy* policy,
                                 const sotto_entropy* entropy) {
  if (policy == nullptr) return code(Status::no_ledger);
  if (entropy == nullptr) return code(Status::entropy_not_ready);
  return start(ledger, memory, flash, hooks, policy, entropy);
}

sotto_status sotto_ledger_open(sotto_ledger* ledger, const sotto_ledger_memory* memory, const sotto_flash* flash,
                               const sotto_ledger_hooks* hooks) {
  return start(ledger, memory, flash, hooks, nullptr, nullptr);
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
                         const sotto_credential* credential) {
  Digest digest;
  if (const Status s = digest_of(manifest, manifest_bytes, true, digest); s != Status::ok) return code(s);
  if (credential == nullptr || credential->pseudonym == 0) return code(Status::needs_credential);
  Credential issued{credential->pseudonym, as<ReportKey>(&credential->key)};
  const Status status = as<Ledger>(ledger).enrol(digest, issued);
  wipe(issued.key);
  return code(status);
}

sotto_status sotto_enrol_plain(sotto_ledger* ledger, const uint8_t* manifest, size_t manifest_bytes,
                               const sotto_entropy* entropy) {
  Digest digest;
  if (const Status s = digest_of(manifest, manifest_bytes, false, digest); s != Status::ok) return code(s);
  return code(enrol_plain(as<Ledger>(ledger), digest, as<EntropySource>(entropy)));
}
