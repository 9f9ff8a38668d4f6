// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Enrolment: adds a study to the ledger, with an issued credential or under a pseudonym that the device draws.
#include "sotto/session/session.hpp"

namespace sotto {

Status load_study(const std::span<const std::uint8_t>& bytes, const SessionHooks& hooks, Manifest& manifest,
                  Digest& study) noexcept {
  if (const Status s = decode_manifest(bytes, manifest); s != Status::ok) return s;
  if (!hooks.verify.vouches_for(manifest.bytes)) return Status::bad_signature;
  sha256(manifest.bytes.body, study);
  return Status::ok;
}

Status enrol(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const Enrolment& enrolment,
             const SessionHooks& hooks) noexcept {
  Manifest decoded;
  Digest study;
  if (const Status s = load_study(manifest, hooks, decoded, study); s != Status::ok) return s;
  // A study is enrolled once and cannot be enrolled again, so a study that needs a credential is refused without one.
  if (decoded.authenticated && enrolment.key == nullptr) return Status::needs_credential;
  return ledger.enrol(study, enrolment);
}

Status enrol_plain(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const SessionHooks& hooks) noexcept {
  if (!ledger.is_open()) return Status::no_ledger;
  PrivateCoins coins;
  if (const Status s = ledger.seed(coins, hooks.entropy); s != Status::ok) return s;
  std::uint64_t pseudonym = std::uint64_t{coins.word()} << 32;
  pseudonym |= coins.word() | 1u;  // never 0
  return enrol(ledger, manifest, {pseudonym, nullptr}, hooks);
}

}  // namespace sotto
