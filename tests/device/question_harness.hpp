// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "asked_question.hpp"
#include "result_digest.hpp"

namespace sotto {

/// What holds for every question that is asked well: mapped and hooked rows give the same bytes; no rows give as many; the least
/// work space that is accepted is enough, and nothing behind it is written.
inline void expect_sound(AskedQuestion& asked, const Question& question, ResultDigest& digest) noexcept {
  constexpr std::uint32_t k_devices = 6;
  for (std::uint32_t device = 1; device <= k_devices; ++device) {
    asked.pseudonym = device;
    std::uint8_t first[AskedQuestion::k_payload_bytes];
    const std::span<const std::uint8_t> mapped = asked.answer(question, asked.mapped(), device);
    const std::size_t size = mapped.size();
    TEST_ASSERT_TRUE(size > 0);
    for (std::size_t i = 0; i < size; ++i) {
      first[i] = mapped[i];
      digest.add(first[i]);
    }
    TEST_ASSERT_EQUAL_UINT32(size, asked.answer(question, asked.hooked(), device).size());
    TEST_ASSERT_EQUAL_UINT8_ARRAY(first, asked.payload, size);

    const std::span<const std::uint8_t> nothing = asked.answer(question, asked.mapped(0), device);
    TEST_ASSERT_EQUAL_UINT32(size, nothing.size());
    for (const std::uint8_t b : nothing) digest.add(b);
    (void)asked.answer(question, asked.hooked(2), device);
    for (std::size_t i = 0; i < size; ++i) digest.add(asked.payload[i]);

    if (device != 1) continue;
    for (const bool is_mapped : {true, false}) {
      std::size_t least = 0;
      for (asked.limit_work(0); asked.check(question, is_mapped) == Status::short_buffer; asked.limit_work(least))
        least += 8;
      asked.mark_work();
      (void)asked.answer(question, is_mapped ? asked.mapped() : asked.hooked(), device);
      TEST_ASSERT_EQUAL_UINT8_ARRAY(first, asked.payload, size);
      TEST_ASSERT_TRUE(asked.untouched_behind_work());
      asked.limit_work(AskedQuestion::k_work_bytes);
    }
  }
}

/// A change to a good round that must be refused before any row is read; the round is put back.
template <class Change>
void expect_refused(AskedQuestion& asked, const Question& question, Status wanted, Change change) noexcept {
  const Round round = asked.round;
  const Manifest manifest = asked.manifest;
  const AskedQuestion::Lists lists = asked.lists;
  TEST_ASSERT_EQUAL_UINT8(Status::ok, asked.check(question));
  const std::uint32_t reads = asked.reads;
  change(asked);
  TEST_ASSERT_EQUAL_UINT8(wanted, asked.check(question));
  TEST_ASSERT_EQUAL_UINT32(reads, asked.reads);
  asked.round = round;
  asked.manifest = manifest;
  asked.lists = lists;
}

}  // namespace sotto
