// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/sha256.hpp"
#include "study_service.hpp"

// Credentials for devices: by a token that this server drew, or by a ticket of an issuer who never sees the credential.
namespace sotto::analyzer {

void StudyService::enroll(Enrolment with, const Answer& answer) {
  // In the caller's thread: whoever sends forged tickets must not keep reports from the disk.
  if (served_.tickets && with.ticket)
    with.is_signed = served_.tickets->holds(ticket_message(*with.ticket, digest_), with.signature);
  order([this, with = std::move(with), answer] { answer(enroll_now(with)); }, answer);
}

Outcome StudyService::enroll_now(const Enrolment& with) {
  if (!keys_) {
    return {Error{"enroll.no_credentials", "this study is not authenticated, so there are no credentials to issue", "",
                  "a device of an open study draws its own pseudonym"},
            {},
            {}};
  }
  const Result<std::uint64_t> pseudonym = pseudonym_for(with);
  if (!pseudonym) return {pseudonym.error(), {}, {}};
  ReportKey key = keys_->key(pseudonym.value());
  std::string text = fmt::format("{} {}", pseudonym_text(pseudonym.value()), hex_text(key));
  wipe_secret(key);
  return {{}, {}, std::move(text)};
}

Result<std::uint64_t> StudyService::pseudonym_for(const Enrolment& with) {
  if (!served_.tickets) {
    if (with.ticket) {
      return Error{"enroll.no_tickets", "this study enrols with tokens, and no issuer signs tickets for it", "",
                   "ask whoever runs the study for a token (sotto tokens)"};
    }
    const bool is_known_by_row = served_.study.regression && served_.study.regression->protocol->asks_labels;
    return desk_->enroll(with.token, !is_known_by_row);
  }
  if (!with.ticket) {
    return Error{"enroll.needs_ticket",
                 "this study enrols with tickets, so that who collects does not know the devices", "",
                 "ask the issuer for a ticket (sotto issue)"};
  }
  if (!with.is_signed) {
    return Error{"enroll.bad_ticket", "the issuer did not sign this ticket for this study", "",
                 "ask the issuer for a ticket (sotto issue)"};
  }
  const std::uint64_t pseudonym = ticket_pseudonym(*served_.master, digest_, *with.ticket);
  Digest hash;
  sha256(*with.ticket, hash);
  if (const auto admitted = desk_->admit(hash, pseudonym); !admitted) return admitted.error();
  return pseudonym;
}

}  // namespace sotto::analyzer
