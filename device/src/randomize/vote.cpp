// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/vote.hpp"

#include "sotto/masks.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

Status vote(const Certified<VoteSpec>& certified, const CoinLabel& label, std::uint32_t x, PrivateCoins& coins,
            std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const VoteSpec& spec = certified.spec();
  const TwoLevel c = channel(spec);
  TwoLevelDraw draw = draw_two_level(coins, c);
  std::uint32_t answer = choose(mask_less(spec.features, x), spec.features, x);
  if (spec.bits != 0) answer = walsh_parities(spec.bits, label, answer);  // the oracle is public
  report = grr_report(c, answer, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto
