// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/status_text.hpp"

namespace sotto::analyzer {

std::string_view status_fix(Status status) {
  switch (status) {
    case Status::ok: return "";
    case Status::bad_dimension:
      return "choose a number of features, categories or coordinates in the randomizer's range";
    case Status::bad_channel: return "choose parameters with 1 <= k < M, in the randomizer's range";
    case Status::bad_epsilon: return "choose an epsilon above 0 and at most 12 that is not too small for 32-bit coins";
    case Status::over_cap: return "ask for less epsilon, or ship firmware with a larger cap";
    case Status::overspent:
      return "use the derived threshold or variance: this one spends more than the stated epsilon";
    case Status::uncertified_point: return "use an (epsilon, delta) from the table of certified points";
    case Status::uncertified: return "pass the spec through certify() first";
    case Status::entropy_not_ready: return "wait for the entropy source, and begin a report before drawing";
    case Status::entropy_fault: return "repair the entropy source: its bytes failed";
    case Status::short_buffer: return "pass a buffer of the size that the spec needs";
    case Status::bad_magic: return "pass the bytes of a manifest or of a round, from their first byte";
    case Status::unsupported_version: return "update the library, or compile the study for the version it knows";
    case Status::truncated: return "pass all of the bytes";
    case Status::trailing_bytes: return "pass no more than the object and its signature";
    case Status::bad_field: return "compile the object again; shared/spec/WIRE.md has the ranges";
    case Status::too_large: return "keep a manifest within 64 KiB, a round and a report within 1 KiB";
    case Status::foreign_study: return "send the round to devices of its own study";
    case Status::unsupported_question: return "link the question into the firmware, and allow it in the study";
    case Status::not_in_cohort: return "nothing: the round asks other devices";
    case Status::bad_signature: return "sign the manifest or round with the key that the firmware knows";
    case Status::not_prepared: return "open a manifest, then prepare an answer";
    case Status::time_observed: return "use a question without additive noise";
    case Status::over_answers: return "nothing: this device has given its answers";
    case Status::needs_credential: return "enrol the study with its issued credential";
    case Status::round_not_open: return "wait until the round opens, or set the device's clock right";
    case Status::round_closed: return "nothing: the round is over; see that rounds stay open long enough";
    case Status::clock_not_set: return "set the device's clock first";
    case Status::self_test_failed: return "do not use this build on this device; find out why a known answer differs";
    case Status::seal_fault: return "see why the platform's hook, for AEAD or for the image's key, returned false";
    case Status::no_ledger: return "open the ledger, or create it where the flash is blank";
    case Status::ledger_exists: return "open the ledger that is there";
    case Status::ledger_corrupt: return "replace the device's flash contents; its budget is unknown";
    case Status::ledger_foreign:
      return "give the geometry, the key and the library version that the ledger was made with";
    case Status::ledger_full: return "use larger sectors, and more memory for the ledger";
    case Status::flash_geometry:
      return "give all four flash hooks, 2 sectors or more, and a program unit of 1 to 32 bytes";
    case Status::flash_fault: return "repair the flash hooks and open the ledger again";
    case Status::counter_fault: return "repair the counter's hook and open the ledger again";
    case Status::rolled_back: return "put the newest flash contents back";
    case Status::busy: return "wait for the other call, or give the ledger a lock";
    case Status::consent_off: return "ask the owner";
    case Status::unknown_study: return "enrol the device in the study first";
    case Status::study_exists: return "use the entry that is there";
    case Status::over_study_cap:
    case Status::over_total_cap: return "ask for less, or raise the policy on the device";
    case Status::already_answered:
    case Status::spent_unsent: return "ask a later round";
    case Status::not_answered: return "charge and store a report first";
    case Status::bad_report_size: return "create the ledger with room for a report of that size";
    case Status::stale_session: return "open the session again";
    case Status::study_removed: return "issue another study: this device has left this one for ever";
    case Status::ledger_in_use: return "keep one ledger object for each flash, and open the ledger again";
    case Status::overlapping_buffers: return "give work space and report memory of their own";
    case Status::ledger_worn: return "replace the device: its ledger takes no more acts";
    case Status::reentered: return "call the session after the hook has returned";
    case Status::work_space_lost: return "give each session a work space of its own, and prepare the round once more";
  }
  return "";
}

}  // namespace sotto::analyzer
