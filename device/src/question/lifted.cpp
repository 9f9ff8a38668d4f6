// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "lifted.hpp"

#include "../local/unchecked.hpp"
#include "sotto/lift.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/sphere_code.hpp"

namespace sotto {
namespace {

/// The vector's size once the round was checked.
[[nodiscard]] std::uint32_t lifted_size(const Round& round) noexcept {
  return round.spec[round.stem == Stem::cross_polytope ? 1 : 0];
}

}  // namespace

Status check_lifted(const Asked& asked, std::uint32_t size, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (!in_range(round.parameter[0], 1, 0x7fffffff)) return Status::bad_field;
  const FrontStem* stem = &k_front_stem<CrossPolytopeSpec, 4>;
  std::size_t scratch = 0;
  if (round.stem == Stem::cross_polytope) {
    scratch = sizeof(std::int32_t) << (round.spec[0] & 31u);  // once certified: at most 12
  } else if (round.stem == Stem::sphere_code) {
    stem = &k_front_stem<SphereCodeSpec, 4>;
    scratch = round.spec[1] * sizeof(std::uint16_t);
  } else if (round.stem == Stem::hemisphere) {
    stem = &k_front_stem<HemisphereSpec, 2>;
  } else {
    return Status::bad_channel;
  }
  if (!spec_ends(round, stem->fields)) return Status::bad_field;
  if (lifted_size(round) != size + 1) return Status::bad_dimension;
  TwoLevel channel;
  if (const Status s = certify_front(asked, *stem, channel); s != Status::ok) return s;
  plan = {outcome_bytes(channel.outcomes), kept_bytes_of<Q15>(size + 1), scratch};
  return Status::ok;
}

std::size_t lifted_kept_bytes(const Round& round) noexcept { return kept_bytes_of<Q15>(lifted_size(round)); }

void keep_lifted(const Asked& asked, const std::span<const std::int32_t>& vector_q24) noexcept {
  lift_unchecked(vector_q24, asked.round.parameter[0], &number_of<Q15>(asked));
}

void report_lifted(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
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
