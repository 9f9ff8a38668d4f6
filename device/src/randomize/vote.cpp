// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/vote.hpp"

#include "sotto/masks.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t vote_report(const VoteSpec& spec, const TwoLevel& channel, const CoinLabel& label, std::uint32_t x,
                          PrivateCoins& coins) noexcept {
  // The same words as draw_two_level(): with one inside category its rank needs no word.
  TwoLevelDraw draw;
  draw.coin = coins.word();
  draw.outside = coins.below(channel.outcomes - 1);
  std::uint32_t answer = choose(mask_less(spec.features, x), spec.features, x);
  if (spec.bits != 0) answer = walsh_parities(spec.bits, label, answer);  // the oracle is public
  const std::uint32_t report = grr_report_of(channel, answer, draw);  // `none` is category d, parities are below 2^bits
  wipe_object(draw);
  return report;
}

Status vote(const Certified<VoteSpec>& certified, const CoinLabel& label, std::uint32_t x, PrivateCoins& coins,
            std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  report = vote_report(certified.spec(), channel(certified.spec()), label, x, coins);
  return Status::ok;
}

}  // namespace sotto
