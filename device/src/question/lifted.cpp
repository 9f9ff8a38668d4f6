// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "lifted.hpp"

#include "sotto/lift.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/sphere_code.hpp"

namespace sotto {
namespace {

[[nodiscard]] CrossPolytopeSpec cross_polytope_spec(const Asked& asked) noexcept {
  const std::uint32_t* const s = asked.round.spec;
  return {asked.manifest.epsilon, s[0], s[1], s[2], s[3]};
}
[[nodiscard]] SphereCodeSpec sphere_code_spec(const Asked& asked) noexcept {
  const std::uint32_t* const s = asked.round.spec;
  return {asked.manifest.epsilon, s[0], s[1], s[2], s[3]};
}

template <class Spec>
[[nodiscard]] Status plan_lifted(const Asked& asked, const Spec& spec, std::uint32_t size, AnswerPlan& plan) noexcept {
  if (spec.dimension != size + 1) return Status::bad_dimension;
  if (const Status s = certify_front(asked, spec); s != Status::ok) return s;
  plan = {outcome_bytes(channel(spec).outcomes), kept_bytes_of<Q15>(size + 1), 0};
  return Status::ok;
}

/// The vector's size once the round was checked.
[[nodiscard]] std::uint32_t lifted_size(const Round& round) noexcept {
  return round.spec[round.stem == Stem::cross_polytope ? 1 : 0];
}

}  // namespace

Status check_lifted(const Asked& asked, std::uint32_t size, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (!in_range(round.parameter[0], 1, 0x7fffffff)) return Status::bad_field;
  Status status = Status::bad_channel;
  if (round.stem == Stem::cross_polytope) {
    status = plan_lifted(asked, cross_polytope_spec(asked), size, plan);
    if (status == Status::ok) plan.scratch_bytes = sizeof(std::int32_t) << round.spec[0];
  } else if (round.stem == Stem::sphere_code) {
    status = plan_lifted(asked, sphere_code_spec(asked), size, plan);
    if (status == Status::ok) plan.scratch_bytes = round.spec[1] * sizeof(std::uint16_t);
  } else if (round.stem == Stem::hemisphere) {
    const HemisphereSpec spec{asked.manifest.epsilon, round.spec[0], round.spec[1]};
    status = spec_ends(round, 2) ? plan_lifted(asked, spec, size, plan) : Status::bad_field;
  }
  return status;
}

std::size_t lifted_kept_bytes(const Round& round) noexcept { return kept_bytes_of<Q15>(lifted_size(round)); }

void keep_lifted(const Asked& asked, std::span<const std::int32_t> vector_q24) noexcept {
  (void)lift(vector_q24, asked.round.parameter[0], answer_of<Q15>(asked, vector_q24.size() + 1));
}

void report_lifted(const Asked& asked, PrivateCoins& coins, std::span<std::uint8_t> payload) noexcept {
  const std::span<const Q15> unit = answer_of<Q15>(asked, lifted_size(asked.round));
  const std::span<std::byte> scratch = scratch_behind(asked, lifted_kept_bytes(asked.round));
  std::uint32_t report = 0;
  if (asked.round.stem == Stem::cross_polytope) {
    const auto& certified = certified_of<CrossPolytopeSpec>(asked);
    Workspace space{scratch};
    (void)cross_polytope(certified, asked.label, unit,
                         space.take<std::int32_t>(std::size_t{1} << certified.spec().log2_size), coins, report);
  } else if (asked.round.stem == Stem::sphere_code) {
    const auto& certified = certified_of<SphereCodeSpec>(asked);
    Workspace space{scratch};
    (void)sphere_code(certified, asked.label, unit, space.take<std::uint16_t>(certified.spec().codewords), coins,
                      report);
  } else {
    (void)hemisphere(certified_of<HemisphereSpec>(asked), asked.label, unit, coins, report);
  }
  write_number(report, payload);
}

}  // namespace sotto
