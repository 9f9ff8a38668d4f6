// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/scores.hpp"

#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

/// (a/b)^(3/2) in Q30 for two strengths of screen_strength(), 0 < a <= b: the ratio of the mantissas in Q15, then the
/// exponents. The ratio is at most 2^-15 too small, its root 2^-15.
[[nodiscard]] std::int32_t cube_q30(std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint32_t mantissas = ((a & 0xffffu) << 15) / (b & 0xffffu);  // above 2^14, below 2^16
  const std::uint32_t fall = (b >> 16) - (a >> 16);
  if (fall > 30) return 0;
  const std::uint32_t ratio =
      (mantissas << 15) >> fall;  // Q30, at most 1, because strengths are monotone in their values
  return static_cast<std::int32_t>(multiply_32(ratio, root_floor(ratio)) >> 15);
}

}  // namespace

void cubed_scores(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                  const std::span<std::byte>& work, const std::span<std::int32_t>& out_q24) noexcept {
  ScreenedColumn strongest[1];
  screen(spec, samples, residual_q24, work, strongest, out_q24.data());
  for (std::int32_t& v : out_q24) {
    if (v == 0) continue;
    const std::int32_t cube = cube_q30(magnitude(v), strongest[0].strength);
    v = v < 0 ? -cube : cube;
  }
  norm_clip_q24(out_q24, std::uint32_t{1} << 24);  // the largest is 1 in Q30, so this always scales down
}

}  // namespace sotto
