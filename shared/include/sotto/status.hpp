// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The status that every function that can refuse returns, on the device and in formats. The C API has the same
/// numbers.

#include <cstdint>

namespace sotto {

/// Success, or the reason of a refusal. A refusal never depends on a private value, and leaves outputs untouched. The
/// numbers are part of the C API and of the test vectors: append, never renumber.
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
    trailing_bytes = 14,        ///< a manifest or round is followed by bytes that are not a signature
    bad_field = 15,             ///< a field of a manifest, round or report is outside its range
    too_large = 16,             ///< a manifest above 64 KiB, or a round or report above 1 KiB
    foreign_study = 17,         ///< the round belongs to another manifest
    unsupported_question = 18,  ///< the question is not linked into this firmware, or the manifest does not allow it
    not_in_cohort = 19,         ///< the round asks a cohort to which this device does not belong
    bad_signature = 20,         ///< the firmware's verify hook refused the bytes
    not_prepared = 21,          ///< no manifest is open, or no answer is ready
    time_observed = 22,     ///< the duration depends on private values, and the firmware says that it can be measured
    over_answers = 23,      ///< this device gave as many answers as the manifest allows
    needs_credential = 24,  ///< the manifest requires sealed reports, and there is no key
    round_not_open = 25,    ///< the clock says that the round has not opened yet
    round_closed = 26,      ///< the clock says that the round has closed
    clock_not_set = 27,     ///< the round has times, and the clock does not know the time
    self_test_failed = 30,  ///< a known answer came out wrong: this library must not be used on this device
    seal_fault = 31,        ///< the hook for AEAD or for the image's key failed: the report must not be sent
    no_ledger = 32,         ///< the flash is blank, or the ledger is not open: create or open it
    ledger_exists = 33,     ///< create() found a ledger, which it never overwrites
    ledger_corrupt = 34,    ///< the flash is damaged in a way that no power cut explains: nothing is charged
    ledger_foreign = 35,    ///< the ledger was written for another flash geometry or by another format version
    ledger_full = 36,       ///< no room for this study in the memory or in a sector
    flash_geometry = 37,    ///< the flash hooks are missing, or describe a flash that the ledger cannot use
    flash_fault = 38,       ///< a flash hook failed; open the ledger again
    counter_fault = 39,     ///< the monotonic counter's hook failed; open the ledger again
    rolled_back = 40,       ///< the monotonic counter is ahead of the ledger: the flash holds an older copy
    busy = 41,              ///< another call is in progress, or the lock could not be taken
    consent_off = 42,       ///< the owner's consent is off
    unknown_study = 43,     ///< the ledger has no entry for this digest
    study_exists = 44,      ///< the study is enrolled already; its credential is kept
    over_study_cap = 45,    ///< the study would spend more epsilon or delta than the policy allows one study
    over_total_cap = 46,    ///< the device would spend more epsilon or delta than the policy allows in total
    already_answered = 47,  ///< this round, or a later one, was answered
    spent_unsent = 48,      ///< the round was charged and its report was lost; there is no second draw
    not_answered = 49,      ///< this round was not charged yet
    bad_report_size = 50,   ///< the report does not fit the room that the ledger was created with
    stale_session = 51,     ///< the ledger was opened again since: open the session again
    study_removed = 52,     ///< the study was removed from the ledger and cannot be enrolled again
    ledger_in_use = 53,     ///< another object wrote this flash or its memory, or flash decays: open the ledger again
    overlapping_buffers = 54,  ///< a buffer overlaps the work space, round, manifest, session or ledger
    ledger_worn = 55,          ///< the ledger's sequence number is exhausted: nothing more is written
    reentered = 56,            ///< a hook called back into the session that called it
    work_space_lost = 57,      ///< another session prepared in this work space: prepare again; nothing was charged
};

}  // namespace sotto
