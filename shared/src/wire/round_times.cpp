// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The times of a round, which a device without a clock does not read.
#include "fields.hpp"
#include "sotto/wide.hpp"
#include "sotto/wire/round.hpp"

namespace sotto {

Status round_times(const Round& round, RoundTimes& out) noexcept {
  if (round.has_times == 0) {
    out = {};
    return Status::ok;
  }
  const std::uint8_t* const p = round.pairs + k_pair_bytes * round.pair_count;
  const RoundTimes times{load_u64(p), load_u64(p + 8)};
  if (times.closes <= times.opens) return Status::bad_field;
  out = times;
  return Status::ok;
}

std::uint64_t send_time(const RoundTimes& times, std::uint32_t slot) noexcept {
  const std::uint64_t length = times.closes - times.opens;
  const auto low = static_cast<std::uint32_t>(length), high = static_cast<std::uint32_t>(length >> 32);
  return times.opens + std::uint64_t{high} * slot + (std::uint64_t{low} * slot >> 32);
}

}  // namespace sotto
