// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Removes a study. Its digest and what it spent stay in the ledger.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

Status Ledger::remove(const Digest& digest) noexcept {
  return guarded([&] {
    StudyEntry* const study = look_up(digest);
    if (study == nullptr) return was_removed(digest) ? Status::study_removed : Status::unknown_study;
    ImageHead& head = image();
    if (head.removed == k_studies_max) return Status::ledger_full;
    const Digest name = digest;  // the caller's digest may be the one in the entry
    head.retired.epsilon = add_saturating(head.retired.epsilon, study->spent.epsilon);
    head.retired.delta = add_saturating(head.retired.delta, study->spent.delta);
    // The entries before it move up to make room for one line, and those behind it close the gap.
    auto* const bytes = reinterpret_cast<std::uint8_t*>(image_);
    const std::uint32_t line = entries(), step = head.entry_bytes;
    const auto gone = static_cast<std::uint32_t>(reinterpret_cast<std::uint8_t*>(study) - bytes);
    for (std::uint32_t at = gone; at != line; --at) bytes[at - 1 + k_line_bytes] = bytes[at - 1];
    for (std::uint32_t at = gone + step; at != bytes_; ++at) bytes[at - step + k_line_bytes] = bytes[at];
    __builtin_memcpy(bytes + line, name.data(), k_line_bytes);
    const std::uint32_t before = bytes_;
    bytes_ -= step - k_line_bytes;
    wipe(bytes + bytes_, before - bytes_);
    ++head.removed;
    --head.studies;
    commit(1, Place::next_sector);
    return Status::ok;
  });
}

}  // namespace sotto
