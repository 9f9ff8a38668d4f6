// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/ingest/reason.hpp"

namespace sotto::analyzer {

std::string_view reason_name(Reason reason) noexcept {
  switch (reason) {
    case Reason::accepted: return "accepted";
    case Reason::malformed: return "malformed";
    case Reason::unsupported_version: return "unsupported_version";
    case Reason::foreign_study: return "foreign_study";
    case Reason::early: return "early";
    case Reason::late: return "late";
    case Reason::forged: return "forged";
    case Reason::wrong_question: return "wrong_question";
    case Reason::wrong_cohort: return "wrong_cohort";
    case Reason::bad_payload: return "bad_payload";
    case Reason::duplicate: return "duplicate";
    case Reason::conflict: return "conflict";
  }
  return "unknown";
}

}  // namespace sotto::analyzer
