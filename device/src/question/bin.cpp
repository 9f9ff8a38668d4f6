// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/bin.hpp"

#include "bin.hpp"
#include "ranged.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

[[nodiscard]] std::uint32_t category(const Asked& asked) noexcept { return number_of<std::uint32_t>(asked); }

std::uint32_t grr_answer(const Asked& asked, const FrontSpec&, const TwoLevel& channel,
                         const TwoLevelDraw& draw) noexcept {
  return grr_report(channel, category(asked), draw);
}

std::uint32_t walsh_hash_answer(const Asked& asked, const FrontSpec& spec, const TwoLevel& channel,
                                const TwoLevelDraw& draw) noexcept {
  return grr_report(channel, walsh_hash_of(spec.as<WalshHashSpec>(), asked.label, category(asked)), draw);
}

std::uint32_t hadamard_response_answer(const Asked& asked, const FrontSpec& spec, const TwoLevel&,
                                       const TwoLevelDraw& draw) noexcept {
  return hadamard_response_report(spec.as<HadamardResponseSpec>(), category(asked), draw);
}

constexpr FrontStem k_stems[] = {two_level_stem<GrrSpec>(2, grr_answer),
                                 two_level_stem<WalshHashSpec>(3, walsh_hash_answer),
                                 two_level_stem<HadamardResponseSpec>(3, hadamard_response_answer, true)};

}  // namespace

std::uint32_t bins(const Round& round) noexcept { return round.spec[round.stem == Stem::hadamard_response ? 1 : 0]; }

Status check_category(Asked& asked) noexcept { return check_front(asked, k_stems, kept_bytes_of<std::uint32_t>(1)); }

Status check_bin(Asked& asked) noexcept {
  const Status status = check_category(asked);
  return status == Status::ok ? check_ranged(asked) : status;
}

void prepare_bin(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  keep_bin(asked, ranged_answer(asked, local));
}

void keep_bin(const Asked& asked, const Position& at) noexcept {
  const std::uint32_t last = bins(asked.round) - 1;
  const auto bin = static_cast<std::uint32_t>(divide_floor(multiply_32(at.offset, last + 1), at.width));
  number_of<std::uint32_t>(asked) = bin < last ? bin : last;
}

void report_category(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  report_front(asked, k_stems, coins, payload);
}

const Question k_bin{QuestionKind::bin, check_bin, prepare_bin, report_category};

}  // namespace sotto
