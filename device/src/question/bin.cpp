// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/bin.hpp"

#include "bin.hpp"
#include "ranged.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto {
namespace {

[[nodiscard]] const FrontStem* stem_of(Stem stem) noexcept {
  if (stem == Stem::grr) return &k_front_stem<GrrSpec, 2>;
  if (stem == Stem::walsh_hash) return &k_front_stem<WalshHashSpec, 3>;
  return stem == Stem::hadamard_response ? &k_front_stem<HadamardResponseSpec, 3> : nullptr;
}

}  // namespace

std::uint32_t bins(const Round& round) noexcept { return round.spec[round.stem == Stem::hadamard_response ? 1 : 0]; }

Status check_category(const Asked& asked, AnswerPlan& plan) noexcept {
  const FrontStem* const stem = stem_of(asked.round.stem);
  if (stem == nullptr) return Status::bad_channel;
  if (!spec_ends(asked.round, stem->fields)) return Status::bad_field;
  TwoLevel channel;
  if (const Status s = certify_front(asked, *stem, channel); s != Status::ok) return s;
  plan = {outcome_bytes(channel.outcomes), k_bin_kept, 0};
  return asked.work.size() < k_bin_kept ? Status::short_buffer : Status::ok;
}

Status check_bin(const Asked& asked, AnswerPlan& plan) noexcept {
  if (const Status s = check_category(asked, plan); s != Status::ok) return s;
  return check_ranged(asked, k_bin_kept);
}

void prepare_bin(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Position at = ranged_answer(asked, local, k_bin_kept);
  const std::uint32_t last = bins(asked.round) - 1;
  const auto bin = static_cast<std::uint32_t>(divide_floor(multiply_32(at.offset, last + 1), at.width));
  number_of<std::uint32_t>(asked) = bin < last ? bin : last;
}

void report_category(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const std::uint32_t answer = number_of<std::uint32_t>(asked);
  std::uint32_t report = 0;
  if (asked.round.stem == Stem::grr) {
    (void)grr(certified_of<GrrSpec>(asked), answer, coins, report);
  } else if (asked.round.stem == Stem::walsh_hash) {
    (void)walsh_hash(certified_of<WalshHashSpec>(asked), asked.label, answer, coins, report);
  } else {
    (void)hadamard_response(certified_of<HadamardResponseSpec>(asked), answer, coins, report);
  }
  write_number(report, payload);
}

const Question k_bin{QuestionKind::bin, check_bin, prepare_bin, report_category};

}  // namespace sotto
