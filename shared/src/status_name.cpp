// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/status_name.hpp"

namespace sotto {

const char* status_name(Status status) noexcept {
  switch (status) {
    case Status::ok: return "ok";
    case Status::bad_dimension: return "bad_dimension";
    case Status::bad_channel: return "bad_channel";
    case Status::bad_epsilon: return "bad_epsilon";
    case Status::over_cap: return "over_cap";
    case Status::overspent: return "overspent";
    case Status::uncertified_point: return "uncertified_point";
    case Status::uncertified: return "uncertified";
    case Status::entropy_not_ready: return "entropy_not_ready";
    case Status::entropy_fault: return "entropy_fault";
    case Status::short_buffer: return "short_buffer";
    case Status::bad_magic: return "bad_magic";
    case Status::unsupported_version: return "unsupported_version";
    case Status::truncated: return "truncated";
    case Status::trailing_bytes: return "trailing_bytes";
    case Status::bad_field: return "bad_field";
    case Status::too_large: return "too_large";
    case Status::foreign_study: return "foreign_study";
    case Status::unsupported_question: return "unsupported_question";
    case Status::not_in_cohort: return "not_in_cohort";
    case Status::bad_signature: return "bad_signature";
    case Status::not_prepared: return "not_prepared";
    case Status::time_observed: return "time_observed";
    case Status::over_answers: return "over_answers";
    case Status::needs_credential: return "needs_credential";
    case Status::round_not_open: return "round_not_open";
    case Status::round_closed: return "round_closed";
    case Status::clock_not_set: return "clock_not_set";
    case Status::self_test_failed: return "self_test_failed";
    case Status::seal_fault: return "seal_fault";
    case Status::no_ledger: return "no_ledger";
    case Status::ledger_exists: return "ledger_exists";
    case Status::ledger_corrupt: return "ledger_corrupt";
    case Status::ledger_foreign: return "ledger_foreign";
    case Status::ledger_full: return "ledger_full";
    case Status::flash_geometry: return "flash_geometry";
    case Status::flash_fault: return "flash_fault";
    case Status::counter_fault: return "counter_fault";
    case Status::rolled_back: return "rolled_back";
    case Status::busy: return "busy";
    case Status::consent_off: return "consent_off";
    case Status::unknown_study: return "unknown_study";
    case Status::study_exists: return "study_exists";
    case Status::over_study_cap: return "over_study_cap";
    case Status::over_total_cap: return "over_total_cap";
    case Status::already_answered: return "already_answered";
    case Status::spent_unsent: return "spent_unsent";
    case Status::not_answered: return "not_answered";
    case Status::bad_report_size: return "bad_report_size";
    case Status::stale_session: return "stale_session";
    case Status::study_removed: return "study_removed";
    case Status::ledger_in_use: return "ledger_in_use";
    case Status::overlapping_buffers: return "overlapping_buffers";
    case Status::ledger_worn: return "ledger_worn";
    case Status::reentered: return "reentered";
    case Status::work_space_lost: return "work_space_lost";
  }
  return "unknown";
}

}  // namespace sotto
