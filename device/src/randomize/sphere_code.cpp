// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/sphere_code.hpp"

#include "sotto/codeword.hpp"
#include "sotto/masks.hpp"
#include "sotto/randomize/k_closest.hpp"
#include "sotto/randomize/unchecked.hpp"
#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

void sphere_code_scores(const SphereCodeSpec& spec, const CoinLabel& label, const std::span<const Q15>& x,
                        const std::span<std::uint16_t>& work) noexcept {
  static_assert(std::int64_t{k_sphere_dimension_max} * 212 * 32768 < std::int64_t{1} << 29);
  PublicCoins codewords{label, CoinPurpose::codewords};
  std::uint32_t bytes = 0, half = 0;  // a word of coins gives two coordinates
  for (std::uint32_t i = 0; i < spec.codewords; ++i) {
    std::int32_t product = 0;
    std::uint32_t square = 0;
    for (const Q15 c : x) {
      if (half == 0) bytes = codewords.word();
      const std::int32_t u = nibble_pair(bytes) + nibble_pair(bytes >> 8);
      bytes >>= 16;
      half ^= 1u;
      product += u * c;
      square += static_cast<std::uint32_t>(u * u);
    }
    // Codewords are public, so the time of their lengths reveals nothing; only `product` is private. |score| <= 2^15
    // sqrt(d) = 2^18.
    const std::uint32_t inverse = inverse_length_q24(square);
    const std::uint64_t scaled = multiply_32(static_cast<std::uint32_t>(product), inverse) -
                                 (std::uint64_t{mask_negative(product) & inverse} << 32);  // a signed product
    const auto score = static_cast<std::int32_t>(static_cast<std::int64_t>(scaled) >> 24) + 32768;
    const std::uint32_t floored = static_cast<std::uint32_t>(score) & ~mask_negative(score);
    work[i] = static_cast<std::uint16_t>(floored | mask_less(65535, floored));
  }
}

std::uint32_t sphere_code_report(const SphereCodeSpec& spec, const std::span<const std::uint16_t>& scores,
                                 const TwoLevelDraw& draw) noexcept {
  return closest_report(sphere_code_keys(scores.first(spec.codewords)), channel(spec), draw);
}

Status sphere_code(const Certified<SphereCodeSpec>& certified, const CoinLabel& label, const std::span<const Q15>& x,
                   const std::span<std::uint16_t>& work, PrivateCoins& coins, std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  const SphereCodeSpec& spec = certified.spec();
  if (x.size() != spec.dimension || work.size() < spec.codewords) return Status::short_buffer;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  TwoLevelDraw draw = draw_two_level(coins, channel(spec));
  sphere_code_scores(spec, label, x, work);
  report = sphere_code_report(spec, work, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto
