// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/cross_polytope.hpp"

#include "sotto/hadamard.hpp"
#include "sotto/masks.hpp"
#include "sotto/randomize/k_closest.hpp"
#include "sotto/randomize/unchecked.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_rounds = 3;
constexpr std::uint32_t k_magnitude_bits = 16, k_magnitude_max = (1u << k_magnitude_bits) - 1;
}  // namespace

void cross_polytope_rotate(const CrossPolytopeSpec& spec, const CoinLabel& label, const std::span<const Q15>& x,
                           const std::span<std::int32_t>& work) noexcept {
  const std::uint32_t size = std::uint32_t{1} << spec.log2_size;
  for (std::uint32_t j = 0; j < size; ++j) work[j] = j < spec.dimension ? x[j] : 0;
  PublicCoins signs{label, CoinPurpose::rotation};
  // No overflow is possible for any Q15 input: |x| <= 2^15 sqrt(D), a transform multiplies the norm by sqrt(D), and the
  // shifts divide by it again (up to sqrt 2 a round for odd m), so |y_j| <= 2^15 * 2 * D <= 2^28.
  for (std::uint32_t round = 0; round < k_rounds; ++round) {
    const std::uint32_t shift = round == 0 ? 0 : spec.log2_size >> 1;  // normalises the transform before
    std::uint32_t bits = 0;
    for (std::uint32_t j = 0; j < size; ++j) {
      if ((j & 31u) == 0) bits = signs.word();
      const std::uint32_t negate = 0u - (bits & 1u);
      bits >>= 1;
      work[j] = static_cast<std::int32_t>((static_cast<std::uint32_t>(work[j] >> shift) ^ negate) - negate);
    }
    hadamard_wrap(work.data(), size);
  }
}

Keys cross_polytope_keys(const CrossPolytopeSpec& spec, std::int32_t* rotated) noexcept {
  const std::uint32_t m = spec.log2_size, size = std::uint32_t{1} << m;
  // A typical coordinate of a rotated unit vector is 2^15 (2^16 for odd m): scaled to 2^13 and clipped at eight times
  // that.
  for (std::uint32_t j = 0; j < size; ++j) {
    const std::uint32_t negative = mask_negative(rotated[j]);
    const std::uint32_t big = ((static_cast<std::uint32_t>(rotated[j]) ^ negative) - negative) >> (2 + (m & 1u));
    const std::uint32_t cut = (big | mask_less(k_magnitude_max, big)) & k_magnitude_max;
    // Made odd, so that zero has a sign, too.
    rotated[j] = static_cast<std::int32_t>(((2 * cut + 1) ^ negative) - negative);
  }
  return {size, k_magnitude_bits + 1, rotated};
}

std::uint32_t cross_polytope_report(const CrossPolytopeSpec& spec, const std::span<std::int32_t>& rotated,
                                    const TwoLevelDraw& draw) noexcept {
  return closest_report(cross_polytope_keys(spec, rotated.data()), channel(spec), draw);
}

Status cross_polytope(const Certified<CrossPolytopeSpec>& certified, const CoinLabel& label,
                      const std::span<const Q15>& x, const std::span<std::int32_t>& work, PrivateCoins& coins,
                      std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  const CrossPolytopeSpec& spec = certified.spec();
  if (x.size() != spec.dimension || work.size() < std::size_t{1} << spec.log2_size) return Status::short_buffer;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  TwoLevelDraw draw = draw_two_level(coins, channel(spec));
  cross_polytope_rotate(spec, label, x, work);
  report = cross_polytope_report(spec, work, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto
