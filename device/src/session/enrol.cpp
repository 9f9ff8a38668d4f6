// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

namespace sotto {

Status enrol_plain(Ledger& ledger, const Digest& study, const EntropySource& entropy) noexcept {
  PrivateCoins coins;
  if (const Status s = coins.begin_report(entropy); s != Status::ok) return s;
  Credential credential;
  credential.has_key = false;
  credential.pseudonym = std::uint64_t{coins.word()} << 32;
  credential.pseudonym |= coins.word() | 1u;  // never 0
  return ledger.enrol(study, credential);
}

}  // namespace sotto
