// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "seed.hpp"
#include "sotto/session/session.hpp"

namespace sotto {

Status load_study(const std::span<const std::uint8_t>& bytes, const SessionHooks& hooks, Manifest& manifest,
                  Digest& study) noexcept {
  if (const Status s = decode_manifest(bytes, manifest); s != Status::ok) return s;
  if (!hooks.verify.vouches_for(manifest.body, manifest.signature)) return Status::bad_signature;
  sha256(manifest.body, study);
  return Status::ok;
}

Status enrol(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const Credential& credential,
             const SessionHooks& hooks) noexcept {
  Manifest decoded;
  Digest study;
  if (const Status s = load_study(manifest, hooks, decoded, study); s != Status::ok) return s;
  // A study is enrolled once and for ever, so a wrong way to enrol it is refused.
  if (decoded.authenticated && !credential.has_key) return Status::needs_credential;
  return ledger.enrol(study, credential);
}

Status enrol_plain(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const SessionHooks& hooks) noexcept {
  if (!ledger.is_open()) return Status::no_ledger;
  PrivateCoins coins;
  if (const Status s = seed_coins(coins, ledger, hooks.entropy); s != Status::ok) return s;
  Credential credential;
  credential.has_key = false;
  credential.pseudonym = std::uint64_t{coins.word()} << 32;
  credential.pseudonym |= coins.word() | 1u;  // never 0
  return enrol(ledger, manifest, credential, hooks);
}

}  // namespace sotto
