// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Reading: what stands in a sector, and whether a power cut can have left it so.
#include "charge_sum.hpp"
#include "crc32.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

/// Body bytes of each type; a report has its own length, which is 1 to 1024.
constexpr std::uint8_t k_body_bytes[] = {0xff, sizeof(HeaderBody), k_study_body_bytes, 0, k_charge_body_bytes, 0, 0, 0};

}  // namespace

std::uint32_t Ledger::record_bytes(std::uint32_t body_bytes) const noexcept {
  const std::uint32_t rest = flash_->geometry.program_unit - 1u;
  return (body_bytes + k_record_frame_bytes + rest) & ~rest;
}

std::uint32_t Ledger::sector_start() const noexcept { return sector_ * flash_->geometry.sector_bytes; }

std::uint32_t Ledger::room() const noexcept { return sector_start() + flash_->geometry.sector_bytes - log_end_; }

std::uint32_t Ledger::flash_bytes() const noexcept { return flash_->geometry.sectors * flash_->geometry.sector_bytes; }

/// A head that can be one, of a record that ends inside the active sector. The cursor stays where it is otherwise.
bool Ledger::next(RecordCursor& cursor) noexcept {
  const std::uint32_t left = sector_start() + flash_->geometry.sector_bytes - cursor.next;
  const RecordHead& head = cursor.head;
  if (left < k_record_frame_bytes || !read(cursor.next, &cursor.head, sizeof head)) return false;
  const auto type = static_cast<std::uint32_t>(head.type);
  if (type >= sizeof k_body_bytes) return false;
  if (head.type == RecordType::report ? head.bytes - 1u >= k_report_max_bytes : head.bytes != k_body_bytes[type])
    return false;
  const std::uint32_t bytes = record_bytes(head.bytes);
  if (bytes > left) return false;
  cursor.at = cursor.next;
  cursor.next += bytes;
  return true;
}

bool Ledger::verify(const RecordCursor& cursor) noexcept {
  std::uint8_t chunk[32];
  std::uint32_t crc = ~body_.generation, at = cursor.at;
  const std::uint32_t end = at + cursor.head.bytes + k_record_frame_bytes;
  while (at != end) {
    const std::uint32_t part = end - at < sizeof chunk ? end - at : sizeof chunk;
    if (!read(at, chunk, part)) return false;
    crc = crc32_copy(crc, chunk, part, chunk);
    at += part;
  }
  wipe(chunk, sizeof chunk);  // a study's record holds its key
  return crc == k_crc_residue;
}

/// A record of the active generation. When it is damaged, the cursor has passed it.
bool Ledger::next_whole(RecordCursor& cursor) noexcept { return next(cursor) && verify(cursor); }

/// ok: a committed sector, which is the active one from now on. no_ledger: none here; a blank sector changes nothing.
Status Ledger::scan(std::uint32_t sector) noexcept {
  const std::uint32_t active = sector_;
  sector_ = sector;
  RecordCursor cursor(sector_start());
  if (!next(cursor) || cursor.head.type != RecordType::header) {
    sector_ = active;
    return Status::no_ledger;
  }
  if (!read(cursor.body(), &body_, sizeof body_) || !verify(cursor) || body_.magic != k_ledger_magic)
    return Status::no_ledger;
  if (body_.version != k_ledger_version ||
      __builtin_memcmp(&body_.geometry, &flash_->geometry, sizeof body_.geometry) != 0)
    return Status::ledger_foreign;

  spent_ = {};
  studies_ = 0;
  fresh_end_ = 0;
  Status status = Status::no_ledger;
  log_end_ = cursor.next;
  // Every turn consumes a record of eight bytes or more.
  while (next_whole(cursor)) {
    const RecordType type = cursor.head.type;
    if (type == RecordType::study || type == RecordType::charge) {
      // Studies are numbered in order, and a charge belongs to one of them.
      if (type == RecordType::study ? cursor.head.study != studies_ : cursor.head.study >= studies_) break;
      if (type == RecordType::study) {
        ++studies_;
      } else {
        ++body_.acts;
      }
      Charge charge;  // it opens the bodies of both
      read(cursor.body(), &charge, sizeof charge);
      add(spent_, charge);
    }
    log_end_ = cursor.next;
    if (type == RecordType::commit) status = Status::ok;
    if (type == RecordType::clean) fresh_end_ = log_end_;
  }
  return status;
}

/// What stands behind the log of the active sector must be nothing, or the one record that a power cut tore.
bool Ledger::check_tail() noexcept {
  const std::uint32_t end = log_end_ + room();
  torn_ = !blank(log_end_, end);
  // Each record was synced before the next one was begun: a whole record behind a bad one is not the work of a cut.
  if (torn_) {
    for (std::uint32_t at = log_end_; (at += flash_->geometry.program_unit) < end;) {
      RecordCursor cursor(at);
      if (next_whole(cursor)) return false;
    }
  }
  return true;
}

}  // namespace sotto
