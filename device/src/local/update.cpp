// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/update.hpp"

#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/hard_threshold.hpp"

namespace sotto {

namespace {

constexpr std::int32_t k_step_max = 64 << 24, k_beta_max = 64 << 24;
static_assert(std::uint64_t{k_step_max} * 0x80000000u <= std::uint64_t{1} << 62);  // step times a gradient

void add(const std::span<std::int32_t>& dense, const SparseModel& model, std::int32_t sign,
         std::int32_t limit) noexcept {
  for (std::size_t k = 0; k < model.feature.size(); ++k) {
    std::int32_t& v = dense[model.feature[k]];
    v = saturate(v + std::int64_t{sign} * model.value_q24[k], limit);
  }
}

}  // namespace

void update(const UpdateSpec& spec, const Samples& samples, const SparseModel& broadcast,
            const std::span<std::byte>& work, const std::span<std::int32_t>& difference_q24) noexcept {
  Workspace cut{work};
  const std::span<std::int32_t> value = cut.take<std::int32_t>(spec.keep);
  const std::span<std::uint16_t> feature = cut.take<std::uint16_t>(spec.keep);

  SparseModel model = broadcast;
  for (std::uint32_t step = 0; step < spec.steps; ++step) {
    gradient(spec.gradient, samples, model, {}, cut.rest(), difference_q24);
    for (std::int32_t& v : difference_q24) {
      v = saturate(-shift_right_round(std::int64_t{v} * spec.step_q24, 24), k_beta_max);
    }
    add(difference_q24, model, 1, k_beta_max);
    hard_threshold(difference_q24, spec.keep);
    std::size_t kept = 0;
    for (std::size_t j = 0; j < difference_q24.size(); ++j) {
      if (difference_q24[j] == 0) continue;
      feature[kept] = static_cast<std::uint16_t>(j);
      value[kept++] = difference_q24[j];
    }
    model = {feature.first(kept), value.first(kept)};
  }
  add(difference_q24, broadcast, -1, k_int32_max);
  norm_clip_q24(difference_q24, spec.radius_q24);
}

}  // namespace sotto
