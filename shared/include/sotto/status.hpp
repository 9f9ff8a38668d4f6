// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// The one answer of everything that can refuse. A refusal never depends on a private value, and leaves outputs untouched.
/// The numbers are part of the C API and of the test vectors: append, never renumber.
enum class [[nodiscard]] Status : std::uint8_t{
    ok = 0,
    bad_dimension = 1,          ///< a dimension, number of categories or number of features outside the stem's range
    bad_channel = 2,            ///< another parameter outside its range (k, flips, width, bits, codewords, radius)
    bad_epsilon = 3,            ///< epsilon is zero, above 12 nats, or too small for the channel's integers
    over_cap = 4,               ///< epsilon is above what this device's firmware allows
    overspent = 5,              ///< the threshold or variance would spend more than the stated epsilon
    uncertified_point = 6,      ///< (epsilon, delta) is not in the table of certified Gaussian points
    uncertified = 7,            ///< a randomizer was given a spec that certify() never accepted
    entropy_not_ready = 8,      ///< the entropy hook is missing or not ready, or no report was begun
    entropy_fault = 9,          ///< the entropy hook failed, or its bytes failed the health test
    short_buffer = 10,          ///< a span given by the caller is too small
    bad_magic = 11,             ///< the bytes are not a manifest or not a round
    unsupported_version = 12,   ///< a format version that this library does not know
    truncated = 13,             ///< bytes are missing at the end
    trailing_bytes = 14,        ///< bytes are left over that are no signature
    bad_field = 15,             ///< a field of a manifest, round or report is outside its range
    too_large = 16,             ///< a manifest above 64 KiB, or a round or report above 1 KiB
    foreign_study = 17,         ///< the round belongs to another manifest
    unsupported_question = 18,  ///< the question is not linked into this firmware, or the manifest does not allow it
    not_in_cohort = 19,         ///< the round asks other devices
    bad_signature = 20,         ///< the firmware's verify hook refused the bytes
    not_prepared = 21,          ///< no manifest is open, or no answer is ready
    time_observed =
        22,  ///< the question's time depends on private values, and the firmware says that time can be watched
    over_answers = 23,      ///< this device gave as many answers as the manifest allows one device
    needs_credential = 24,  ///< the manifest wants sealed reports, and the study was enrolled without a key
    self_test_failed = 30,  ///< a known answer came out wrong: this library must not be used on this device
    seal_fault = 31,        ///< the hook for AEAD or for the image's key failed: the report must not be sent
    no_ledger = 32,         ///< the flash is blank, or the ledger is not open: create or open it
    ledger_exists = 33,     ///< create() found a ledger, which it never overwrites
    ledger_corrupt = 34,    ///< the flash holds what no power cut can leave: nothing is charged from it
    ledger_foreign = 35,    ///< the ledger was written for another flash geometry or by another format version
    ledger_full = 36,       ///< no room for this study in the memory or in a sector
    flash_geometry = 37,    ///< the flash hooks are missing, or describe no flash that the ledger can use
    flash_fault = 38,       ///< a flash hook failed; open the ledger again
    counter_fault = 39,     ///< the monotonic counter's hook failed; open the ledger again
    rolled_back = 40,       ///< the monotonic counter is ahead of the ledger: an older copy of the flash
    busy = 41,              ///< another call is in progress, or the lock was not given
    consent_off = 42,       ///< the owner's consent is off
    unknown_study = 43,     ///< the ledger has no entry for this digest
    study_exists = 44,      ///< the study is in the ledger already; its credential stays
    over_study_cap = 45,    ///< the study would spend more epsilon or delta than the policy allows one study
    over_total_cap = 46,    ///< the device would spend more epsilon or delta than the policy allows in total
    already_answered = 47,  ///< this round, or a later one, was answered
    spent_unsent = 48,      ///< the round was paid for and its report was lost; there is no second draw
    not_answered = 49,      ///< nobody charged this round yet
    bad_report_size = 50,   ///< the report has no room in the ledger: 1 byte to what it was created with
    stale_session = 51,     ///< the ledger was opened anew since this session was opened: open the session again
    study_removed = 52,     ///< the study was taken out of the ledger, for ever: its rounds are not sold again
    ledger_in_use = 53,     ///< another ledger object wrote this flash since, or it rots: open the ledger again
    overlapping_buffers =
        54,            ///< a buffer lies over the work space, the round, the manifest, the session or the ledger
    ledger_worn = 55,  ///< the ledger's sequence number is at its end: nothing more is written
    reentered = 56,    ///< a hook called back into the session that called it
    work_space_lost =
        57,  ///< something else was written where prepare() kept the answer: prepare once more; nothing was charged
};

}  // namespace sotto
