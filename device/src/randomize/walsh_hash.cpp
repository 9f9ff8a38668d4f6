// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/walsh_hash.hpp"

#include "sotto/masks.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t walsh_parities(std::uint32_t bits, const CoinLabel& label, std::uint32_t x) noexcept {
  PublicCoins masks{label, CoinPurpose::masks};
  std::uint32_t hash = 0;
  for (std::uint32_t i = 0; i < bits; ++i) hash |= parity(masks.word() & x) << i;
  return hash;
}

std::uint32_t walsh_hash_of(const WalshHashSpec& spec, const CoinLabel& label, std::uint32_t x) noexcept {
  // x < c <= 2^L has no bits beyond the mask's L, so the masks need not be truncated.
  return walsh_parities(spec.bits, label, category_or_zero(x, spec.categories));
}

Status walsh_hash(const Certified<WalshHashSpec>& certified, const CoinLabel& label, std::uint32_t x,
                  PrivateCoins& coins, std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const TwoLevel c = channel(certified.spec());
  TwoLevelDraw draw = draw_two_level(coins, c);
  report = grr_report(c, walsh_hash_of(certified.spec(), label, x), draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto
