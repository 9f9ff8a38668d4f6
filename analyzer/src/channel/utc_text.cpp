// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/utc_text.hpp"

#include <chrono>

#include <fmt/format.h>

namespace sotto::analyzer {

std::string utc_text(std::uint64_t seconds) {
  constexpr std::uint64_t k_day = 86'400, k_last = 253'402'300'799;  // 9999-12-31 23:59:59
  if (seconds > k_last) return fmt::format("{} s after 1970", seconds);
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<std::int64_t>(seconds / k_day)}}};
  const std::uint64_t of_day = seconds % k_day;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), of_day / 3600,
                     of_day / 60 % 60, of_day % 60);
}

std::string times_text(const RoundTimes& times) {
  return fmt::format("{} to {}", utc_text(times.opens), utc_text(times.closes));
}

}  // namespace sotto::analyzer
