// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "lifted.hpp"

#include "sotto/local/lift.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "sotto/randomize/unchecked.hpp"

namespace sotto {
namespace {

/// The size of the vector, after the round was checked.
[[nodiscard]] std::uint32_t lifted_size(const Round& round) noexcept {
  return round.spec[round.stem == Stem::cross_polytope ? 1 : 0];
}

[[nodiscard]] std::span<const Q15> unit_of(const Asked& asked) noexcept {
  return answer_of<Q15>(asked, lifted_size(asked.round));
}

/// The scratch of the plan, behind the unit vector.
template <class Number>
[[nodiscard]] std::span<Number> behind_unit(const Asked& asked, std::size_t count) noexcept {
  return {reinterpret_cast<Number*>(asked.work.data() + asked.plan.kept_bytes), count};
}

std::uint32_t cross_polytope_answer(const Asked& asked, const FrontSpec& spec, const TwoLevel& channel,
                                    const TwoLevelDraw& draw) noexcept {
  const std::span<std::int32_t> work = behind_unit<std::int32_t>(asked, channel.outcomes / 2);
  cross_polytope_rotate(spec.as<CrossPolytopeSpec>(), asked.label, unit_of(asked), work);
  return closest_report(cross_polytope_keys(spec.as<CrossPolytopeSpec>(), work.data()), channel, draw);
}

std::uint32_t sphere_code_answer(const Asked& asked, const FrontSpec& spec, const TwoLevel& channel,
                                 const TwoLevelDraw& draw) noexcept {
  const std::span<std::uint16_t> work = behind_unit<std::uint16_t>(asked, channel.outcomes);
  sphere_code_scores(spec.as<SphereCodeSpec>(), asked.label, unit_of(asked), work);
  return closest_report(sphere_code_keys(work), channel, draw);
}

std::uint32_t hemisphere_answer(const Asked& asked, const FrontSpec&, const TwoLevel& channel,
                                const TwoLevelDraw& draw) noexcept {
  return hemisphere_side(asked.label, unit_of(asked)) ^ (1u & ~inside_mask(channel, draw));
}

constexpr FrontStem k_stems[] = {two_level_stem<CrossPolytopeSpec>(4, cross_polytope_answer),
                                 two_level_stem<SphereCodeSpec>(4, sphere_code_answer),
                                 two_level_stem<HemisphereSpec>(2, hemisphere_answer, true)};

}  // namespace

Status check_lifted(Asked& asked, std::uint32_t size) noexcept {
  const Round& round = asked.round;
  if (!in_range(round.parameter[recipe::vector::radius], 1, 0x7fffffff)) return Status::bad_field;
  const FrontStem* stem = k_stems;
  if (const Status s = find_front(asked, stem); s != Status::ok) return s;
  if (lifted_size(round) != size + 1) return Status::bad_dimension;
  if (const Status s = certify_front(asked, *stem, kept_bytes_of<Q15>(size + 1)); s != Status::ok) return s;
  if (round.stem == Stem::cross_polytope) plan_scratch(asked, sizeof(std::int32_t) << round.spec[0]);
  if (round.stem == Stem::sphere_code) plan_scratch(asked, round.spec[1] * sizeof(std::uint16_t));
  return Status::ok;
}

void keep_lifted(const Asked& asked, const std::span<const std::int32_t>& vector_q24) noexcept {
  lift(vector_q24, asked.round.parameter[recipe::vector::radius], &number_of<Q15>(asked));
}

void report_lifted(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  report_front(asked, k_stems, coins, payload);
}

}  // namespace sotto
