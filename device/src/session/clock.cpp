// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/clock.hpp"

namespace sotto {

Status check_clock(const Clock& clock, const Round& round) noexcept {
  RoundTimes times;
  if (const Status s = round_times(round, times); s != Status::ok) return s;
  if (times.closes == 0) return Status::ok;
  std::uint64_t now = 0;
  if (clock.now == nullptr || !clock.now(clock.context, &now)) return Status::clock_not_set;
  if (now < times.opens) return Status::round_not_open;
  return now < times.closes ? Status::ok : Status::round_closed;
}

}  // namespace sotto
