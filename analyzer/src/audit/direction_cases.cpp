// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "case_parts.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/sphere_code.hpp"

// Audit cases of the randomizers of directions.
namespace sotto::analyzer::audit {

namespace {

using Vector = std::vector<Q15>;

/// A dense direction of length about 1 in Q15, or its opposite.
Vector direction(std::uint32_t dimension, bool first) {
  Vector x(dimension);
  const double scale = 32000 / std::sqrt(static_cast<double>(dimension));
  for (std::uint32_t j = 0; j < dimension; ++j) {
    const double c = scale * std::cos(1.0 + 2.4 * j);  // an irrational angle, so that no two coordinates are equal
    x[j] = static_cast<Q15>(first ? c : -c);
  }
  return x;
}

/// A k near the optimum k/M = .35, .22, .065, .004 at epsilon 1, 2, 4, 8, but at most M/3, so that the sets of x and -x
/// can be disjoint.
std::uint32_t closest_for(EpsilonNano epsilon, std::uint32_t outcomes) {
  return std::clamp(static_cast<std::uint32_t>(outcomes / (1 + std::exp(0.65 * nats(epsilon)))), 1u, outcomes / 3);
}

/// The first pseudonym under which the inside sets of x and -x are disjoint, and the set of x. `inside(label, first)`
/// lists a set.
template <class Inside>
std::pair<CoinLabel, Outcomes> label_with_disjoint_sets(Inside inside) {
  for (CoinLabel label = audit_label(1);; ++label.pseudonym) {
    const Outcomes mine = inside(label, true);
    if (without(mine, inside(label, false)).size() == mine.size()) return {label, mine};
  }
}

AuditCase hemisphere_case(EpsilonNano epsilon) {
  constexpr std::uint32_t k_dimension = 32;
  const auto spec = certified_spec(HemisphereSpec{epsilon, k_dimension, 0});
  if (!spec.valid()) return refused_case("hemisphere", epsilon);
  const auto [label, event] = label_with_disjoint_sets(
      [](const CoinLabel& l, bool first) { return Outcomes{hemisphere_side(l, direction(k_dimension, first))}; });
  return two_level_case("hemisphere", fmt::format("dimension {}", k_dimension), spec, event, tabled_runs(epsilon),
                        [spec, label = label](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return hemisphere(spec, label, direction(k_dimension, first), coins, y);
                        });
}

AuditCase cross_polytope_case(EpsilonNano epsilon) {
  constexpr std::uint32_t k_log2_size = 6, k_dimension = 50;
  const auto spec =
      certified_spec(CrossPolytopeSpec{epsilon, k_log2_size, k_dimension, closest_for(epsilon, 2u << k_log2_size), 0});
  if (!spec.valid()) return refused_case("cross_polytope", epsilon);
  const auto [label, event] = label_with_disjoint_sets([&spec](const CoinLabel& l, bool first) {
    std::vector<std::int32_t> rotated(1u << k_log2_size);
    cross_polytope_rotate(spec.spec(), l, direction(k_dimension, first), rotated);
    return inside_outcomes(channel(spec.spec()), [&](const TwoLevelDraw& draw) {
      std::vector<std::int32_t> work = rotated;
      return cross_polytope_report(spec.spec(), work, draw);
    });
  });
  return two_level_case(
      "cross_polytope",
      fmt::format("size {}, dimension {}, closest {}", 1u << k_log2_size, k_dimension, spec.spec().closest), spec,
      event, tabled_runs_aggregated(epsilon), [spec, label = label](bool first, PrivateCoins& coins, std::uint32_t& y) {
        std::int32_t work[1u << k_log2_size];
        return cross_polytope(spec, label, direction(k_dimension, first), work, coins, y);
      });
}

AuditCase sphere_code_case(EpsilonNano epsilon) {
  constexpr std::uint32_t k_dimension = 9, k_codewords = 128;
  const auto spec =
      certified_spec(SphereCodeSpec{epsilon, k_dimension, k_codewords, closest_for(epsilon, k_codewords), 0});
  if (!spec.valid()) return refused_case("sphere_code", epsilon);
  const auto [label, event] = label_with_disjoint_sets([&spec](const CoinLabel& l, bool first) {
    std::uint16_t scores[k_codewords];
    sphere_code_scores(spec.spec(), l, direction(k_dimension, first), scores);
    return inside_outcomes(channel(spec.spec()),
                           [&](const TwoLevelDraw& draw) { return sphere_code_report(spec.spec(), scores, draw); });
  });
  return two_level_case(
      "sphere_code",
      fmt::format("dimension {}, codewords {}, closest {}", k_dimension, k_codewords, spec.spec().closest), spec, event,
      tabled_runs_aggregated(epsilon), [spec, label = label](bool first, PrivateCoins& coins, std::uint32_t& y) {
        std::uint16_t work[k_codewords];
        return sphere_code(spec, label, direction(k_dimension, first), work, coins, y);
      });
}

}  // namespace

std::vector<AuditCase> direction_cases(EpsilonNano epsilon) {
  return {hemisphere_case(epsilon), cross_polytope_case(epsilon), sphere_code_case(epsilon)};
}

}  // namespace sotto::analyzer::audit
