// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The owner's decisions: consent and caps. Both are written to the next sector, which leaves no older image in flash
// that could undo them.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

Status Ledger::set_consent(bool on) noexcept {
  return guarded([&] {
    ImageHead& head = image();
    const std::uint8_t consent = on ? 1 : 0;
    if (head.consent == consent) return Status::ok;
    head.consent = consent;
    const std::uint32_t step = head.entry_bytes;
    for (std::uint32_t at = entries(); at != bytes_; at += step) {
      StudyEntry& study = entry(at);
      if (study.state == StudyState::stored) study.state = StudyState::charged;
      wipe(study.report(), step - k_entry_bytes);
    }
    commit(1, Place::next_sector);
    return Status::ok;
  });
}

Status Ledger::set_policy(const Policy& policy) noexcept {
  return guarded([&] {
    image().policy = policy;
    commit(1, Place::next_sector);
    return Status::ok;
  });
}

}  // namespace sotto
