// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writing: one record behind the log, or the whole log into the next sector. The new sector takes no charge before the old one
// is erased, so whichever of the two a power cut leaves, nothing that was spent is forgotten.
#include "crc32.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

/// One record at write_at_, through a buffer of one largest program unit; nothing is synced. The body comes from memory; with
/// `from`, the facts of a study come from memory and the rest, or all where there is none, from that address.
void Ledger::write(std::uint32_t head, const void* body, std::uint32_t from) noexcept {
  struct alignas(4) Buffer {
    std::uint8_t bytes[32];
  } buffer;
  std::uint32_t fill = 0, crc = ~body_.generation, checksum;
  const std::uint32_t bytes = head >> 16;
  const std::uint32_t known = body == nullptr ? 0 : from == 0 ? bytes : sizeof(StudyFacts);
  const struct Piece {
    const void* data;
    std::uint32_t bytes;
  } pieces[] = {{&head, sizeof head}, {body, known}, {nullptr, bytes - known}, {&checksum, sizeof checksum}};
  for (const Piece& piece : pieces) {
    checksum = ~crc;
    const auto* data = static_cast<const std::uint8_t*>(piece.data);
    for (std::uint32_t left = piece.bytes; left != 0;) {
      std::uint8_t* const to = buffer.bytes + fill;
      std::uint32_t part = sizeof buffer - fill;
      if (part > left) part = left;
      const std::uint8_t* source = data;
      if (source == nullptr) {
        read(from, to, part);
        source = to;
        from += part;
      } else {
        data += part;
      }
      crc = crc32_copy(crc, source, part, to);
      left -= part;
      fill += part;
      if (fill == sizeof buffer) {
        program(buffer.bytes, fill);
        fill = 0;
      }
    }
  }
  while ((fill & (flash_->geometry.program_unit - 1u)) != 0) buffer.bytes[fill++] = flash_->geometry.erased;
  if (fill != 0) program(buffer.bytes, fill);
  wipe_object(buffer);  // a key may have passed through
}

/// One record and a sync; the caller made room.
void Ledger::append(std::uint32_t head, const void* body) noexcept {
  write_at_ = log_end_;
  write(head, body, 0);
  sync();
  log_end_ = write_at_;
}

/// Room for `bytes` in the active sector, after a compaction if that can help.
Status Ledger::make_room(std::uint32_t bytes) noexcept {
  if (bytes > room() && log_end_ != fresh_end_) compact();
  return bytes > room() ? Status::ledger_full : Status::ok;
}

/// Erases the sector before, and says so in the active one. Until it says so the erase may have been cut short, even where the
/// sector reads as blank.
void Ledger::settle() noexcept {
  erase((sector_ == 0 ? flash_->geometry.sectors : sector_) - 1);
  if (torn_) return;  // compact() comes next
  append(record_head(RecordType::clean, 0, 0), nullptr);
  fresh_end_ = log_end_;
}

/// Writes body_ and what the log says of every study into the next sector. It is never longer than the log was.
void Ledger::compact() noexcept {
  // A byte that rotted since open() must not get a new checksum.
  for (RecordCursor cursor(sector_start()); cursor.next != log_end_;) {
    if (next_whole(cursor)) continue;
    fail(Status::ledger_corrupt);
    return;
  }
  const std::uint32_t target = sector_ + 1u == flash_->geometry.sectors ? 0 : sector_ + 1;
  write_at_ = target * flash_->geometry.sector_bytes;
  if (!blank(write_at_, write_at_ + flash_->geometry.sector_bytes)) erase(target);
  ++body_.generation;
  write(record_head(RecordType::header, 0, sizeof body_), &body_, 0);
  StudyEntry study;
  for (study.index = 0; study.index != studies_; ++study.index) {
    static_cast<void>(look_up(study, nullptr));
    std::uint32_t report = study.facts.state == StudyState::stored ? study.report_at : 0;
    if (report != 0 && !consent()) {
      study.facts.state = StudyState::charged;
      report = 0;
    }
    write(record_head(RecordType::study, study.index, k_study_body_bytes), &study.facts,
          study.record_at + sizeof(RecordHead) + sizeof study.facts);
    if (report != 0)
      write(record_head(RecordType::report, study.index, study.report_bytes), nullptr, report + sizeof(RecordHead));
  }
  write(record_head(RecordType::commit, 0, 0), nullptr, 0);
  sync();
  torn_ = false;
  // The old sector goes only when the new one reads back as a whole ledger with the same spend.
  const Charge spent = spent_;
  if (scan(target) != Status::ok || log_end_ != write_at_ || __builtin_memcmp(&spent_, &spent, sizeof spent) != 0)
    fail(Status::flash_fault);
  settle();
}

}  // namespace sotto
