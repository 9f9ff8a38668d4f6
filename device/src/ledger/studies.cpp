// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Looks up studies by their full digest, and enrols them.
#include "sotto/bytes.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

StudyEntry* Ledger::look_up(const Digest& digest) const noexcept {
  for (std::uint32_t at = entries(); at != bytes_; at += image().entry_bytes) {
    StudyEntry& study = entry(at);
    if (equal_bytes(study.digest.data(), digest.data(), sizeof digest)) return &study;
  }
  return nullptr;
}

bool Ledger::was_removed(const Digest& digest) const noexcept {
  for (std::uint32_t at = k_image_head_bytes; at != entries(); at += k_line_bytes)
    if (equal_bytes(&entry(at), digest.data(), sizeof digest)) return true;
  return false;
}

Status Ledger::enrol(const Digest& digest, const Enrolment& enrolment) noexcept {
  if (enrolment.pseudonym == 0) return Status::needs_credential;  // a study cannot be enrolled again to correct it
  return guarded([&] {
    if (look_up(digest) != nullptr) return Status::study_exists;
    if (was_removed(digest)) return Status::study_removed;
    ImageHead& head = image();
    const std::uint32_t bytes = bytes_ + head.entry_bytes;
    // A sector must hold the image twice.
    if (head.studies == k_studies_max || bytes > memory_bytes_ ||
        2 * bytes > flash_->geometry.sector_bytes - k_marks_bytes)
      return Status::ledger_full;
    StudyEntry& study = entry(bytes_);
    bytes_ = bytes;
    wipe(&study, head.entry_bytes);
    study.pseudonym = enrolment.pseudonym;
    study.digest = digest;
    if (enrolment.key != nullptr) {
      study.key = *enrolment.key;
      study.has_key = 1;
    }
    ++head.studies;
    commit(0, Place::next_sector);  // within a sector all images have the same length
    return Status::ok;
  });
}

}  // namespace sotto
