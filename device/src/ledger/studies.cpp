// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Entries of studies, found by the full digest.
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

Status Ledger::enrol(const Digest& digest, const Credential& credential) noexcept {
  if (credential.pseudonym == 0) return Status::needs_credential;  // it could never be mended
  return guarded([&] {
    if (look_up(digest) != nullptr) return Status::study_exists;
    if (was_removed(digest)) return Status::study_removed;
    ImageHead& head = image();
    const std::uint32_t bytes = bytes_ + head.entry_bytes;
    // A sector takes the image twice.
    if (head.studies == k_studies_max || bytes > memory_bytes_ ||
        2 * bytes > flash_->geometry.sector_bytes - k_marks_bytes)
      return Status::ledger_full;
    StudyEntry& study = entry(bytes_);
    bytes_ = bytes;
    wipe(&study, head.entry_bytes);
    study.pseudonym = credential.pseudonym;
    study.has_key = credential.has_key;
    study.digest = digest;
    study.key = credential.key;
    ++head.studies;
    commit(0, Place::next_sector);  // within a sector all images are of one length
    return Status::ok;
  });
}

}  // namespace sotto
