// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/number.hpp"

#include "bin.hpp"
#include "place.hpp"
#include "scalar.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

[[nodiscard]] bool is_scalar(const Round& round) noexcept {
  return round.stem == Stem::window || round.stem == Stem::laplace;
}

/// One range with its ends in order; or, for a category, cut points in order.
[[nodiscard]] Status check_pairs(const Round& round) noexcept {
  const std::uint32_t pairs = round.pair_count;
  if (pairs == 0) return Status::bad_field;
  NumberPair before = number_pair(round, 0);
  if (pairs == 1) return before.first < before.second ? Status::ok : Status::bad_field;
  bool good = !is_scalar(round) && before.second == 0;
  for (std::uint32_t i = 1; i < pairs; ++i) {
    const NumberPair cut = number_pair(round, i);
    good = good && before.first < cut.first && cut.second == 0;
    before = cut;
  }
  if (!good) return Status::bad_field;
  return bins(round) == pairs + 1 ? Status::ok : Status::bad_dimension;
}

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::number) return Status::unsupported_question;
  if (round.parameter[recipe::number::rule] > k_rule_count || !takes_only_its_own(asked)) return Status::bad_field;
  if (const Status s = is_scalar(round) ? check_scalar(asked) : check_category(asked); s != Status::ok) return s;
  return check_pairs(round);
}

/// In place of a hook that has nothing to read.
std::int32_t read_none(void*, std::uint32_t) noexcept { return k_no_number; }

/// The readings of a hook, or none, as one integer, by the round's rule. The hook is called as often whatever the device
/// holds: in place of what is beyond its readings it reads the first one again, which does not count.
[[nodiscard]] std::int32_t reduced(const Asked& asked, const HeldNumbers& held) noexcept {
  const std::uint32_t rule = asked.round.parameter[recipe::number::rule];
  const auto read = held.count == 0 || held.read == nullptr ? read_none : held.read;
  std::int32_t last = k_no_number, largest = k_no_number;  // the smallest integer
  std::int64_t sum = 0;                                    // at most 2^10 readings of 2^31
  static_assert(k_rows_max <= 1u << 10);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < asked.manifest.nominal_rows; ++i) {
    const std::uint32_t is_held = mask_less(i, held.count);
    const auto reading = static_cast<std::uint32_t>(read(held.context, i & is_held));
    const std::uint32_t counts = is_held & ~mask_equal(reading, static_cast<std::uint32_t>(k_no_number));
    const auto kept = static_cast<std::int32_t>(choose(counts, reading, static_cast<std::uint32_t>(k_no_number)));
    last = static_cast<std::int32_t>(choose(counts, reading, static_cast<std::uint32_t>(last)));
    largest = kept > largest ? kept : largest;
    sum += static_cast<std::int32_t>(reading & counts);
    count += counts & 1u;
  }
  if (rule == k_rule_count) return static_cast<std::int32_t>(count);
  if (rule != k_rule_mean) return rule == k_rule_largest ? largest : last;
  const std::uint32_t parts = count + (count == 0 ? 1 : 0);
  const std::uint64_t size = sum < 0 ? 0 - static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
  const auto mean = static_cast<std::int32_t>(divide_floor(size + count / 2, parts));  // below 2^31, as all readings
  return count == 0 ? k_no_number : sum < 0 ? -mean : mean;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Round& round = asked.round;
  const HeldNumbers& held = local.numbers;
  std::int32_t number = held.read == nullptr && held.count != 0 ? held.one : reduced(asked, held);
  if (number == k_no_number) number = static_cast<std::int32_t>(round.parameter[recipe::number::missing]);
  if (round.pair_count == 1) {
    const Position at = position_in(number, number_pair(round, 0));
    return is_scalar(round) ? keep_position(asked, at) : keep_bin(asked, at);
  }
  std::uint32_t cell = 0;
  for (std::uint32_t i = 0; i < round.pair_count; ++i) cell += number >= number_pair(round, i).first ? 1u : 0u;
  number_of<std::uint32_t>(asked) = cell;
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  is_scalar(asked.round) ? report_scalar(asked, coins, payload) : report_category(asked, coins, payload);
}

}  // namespace

const Question k_number{QuestionKind::number, check, prepare, report};

}  // namespace sotto
