// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/bin.hpp"

#include "ranged.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto {
namespace {

constexpr std::size_t k_kept = kept_bytes_of<std::uint32_t>(1);

[[nodiscard]] std::uint32_t bins(const Round& round) noexcept {
  return round.spec[round.stem == Stem::hadamard_response ? 1 : 0];
}

template <class Spec>
[[nodiscard]] Status plan_bin(const Asked& asked, const Spec& spec, std::uint32_t fields, AnswerPlan& plan) noexcept {
  if (!spec_ends(asked.round, fields)) return Status::bad_field;
  if (const Status s = certify_front(asked, spec); s != Status::ok) return s;
  plan = {outcome_bytes(channel(spec).outcomes), k_kept, 0};
  return Status::ok;
}

Status check(const Asked& asked, AnswerPlan& plan) noexcept {
  const std::uint32_t* const s = asked.round.spec;
  const EpsilonNano epsilon = asked.manifest.epsilon;
  Status status = Status::bad_channel;
  if (asked.round.stem == Stem::grr) status = plan_bin(asked, GrrSpec{epsilon, s[0], s[1]}, 2, plan);
  if (asked.round.stem == Stem::walsh_hash) status = plan_bin(asked, WalshHashSpec{epsilon, s[0], s[1], s[2]}, 3, plan);
  if (asked.round.stem == Stem::hadamard_response)
    status = plan_bin(asked, HadamardResponseSpec{epsilon, s[0], s[1], s[2]}, 3, plan);
  if (status == Status::ok && asked.work.size() < k_kept) status = Status::short_buffer;
  return status == Status::ok ? check_ranged(asked, k_kept) : status;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Position at = ranged_answer(asked, local, k_kept);
  const std::uint32_t last = bins(asked.round) - 1;
  const auto bin = static_cast<std::uint32_t>(divide_floor(multiply_32(at.offset, last + 1), at.width));
  number_of<std::uint32_t>(asked) = bin < last ? bin : last;
}

void report(const Asked& asked, PrivateCoins& coins, std::span<std::uint8_t> payload) noexcept {
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

}  // namespace

const Question k_bin{QuestionKind::bin, check, prepare, report};

}  // namespace sotto
