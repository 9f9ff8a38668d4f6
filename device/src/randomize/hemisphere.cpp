// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/hemisphere.hpp"

#include "sotto/codeword.hpp"
#include "sotto/masks.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t hemisphere_side(const CoinLabel& label, const std::span<const Q15>& x) noexcept {
  PublicCoins normal{label, CoinPurpose::codewords};
  static_assert(std::int64_t{k_hemisphere_dimension_max} * 106 * 32768 < std::int64_t{1} << 31);
  std::int32_t sum = 0;
  std::uint32_t bytes = 0;
  for (std::size_t j = 0; j < x.size(); ++j, bytes >>= 8) {
    if ((j & 3u) == 0) bytes = normal.word();
    sum += nibble_pair(bytes) * x[j];
  }
  return 1u + mask_negative(sum);
}

Status hemisphere(const Certified<HemisphereSpec>& certified, const CoinLabel& label, const std::span<const Q15>& x,
                  PrivateCoins& coins, std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (x.size() != certified.spec().dimension) return Status::short_buffer;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const TwoLevel c = channel(certified.spec());
  TwoLevelDraw draw = draw_two_level(coins, c);
  const std::uint32_t keep = inside_mask(c, draw);
  wipe_object(draw);
  const std::uint32_t side = hemisphere_side(label, x);
  report = side ^ (1u & ~keep);
  return Status::ok;
}

}  // namespace sotto
