// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include <cmath>

#include "case_parts.hpp"
#include "sotto/analyzer/audit/confidence.hpp"
#include "sotto/analyzer/audit/noise_law.hpp"
#include "sotto/randomize/gaussian.hpp"
#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/window.hpp"

// Audit cases of the randomizers of one number.
namespace sotto::analyzer::audit {

namespace {

AuditCase window_case(EpsilonNano epsilon) {
  const auto spec = certified_spec(WindowSpec{epsilon, 12, 3, 0});
  if (!spec.valid()) return refused_case("window", epsilon);
  // Both ends of the range are levels, so that nothing is rounded; their windows are the first and the last three
  // outcomes.
  return two_level_case("window", "outcomes 12, width 3", spec, {0, 1, 2}, tabled_runs_aggregated(epsilon),
                        [spec](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return window(spec, first ? -k_q15_one : k_q15_one, coins, y);
                        });
}

AuditCase laplace_case(EpsilonNano epsilon) {
  constexpr std::int32_t k_radius = 4;
  const auto spec = certified_spec(LaplaceSpec{epsilon, k_radius, 0});
  if (!spec.valid()) return refused_case("laplace", epsilon);
  const std::uint32_t size = std::uint32_t{1} << spec.spec().bits;
  // The half circle from -G away from +G, on which the probability ratio is e^epsilon everywhere.
  const auto in_event = [size](std::uint32_t y) { return ((0u - k_radius - y) & (size - 1)) < size / 2; };
  double first_mass = 0, second_mass = 0;
  const std::vector<double> law = laplace_law(spec.spec());
  for (std::uint32_t z = 0; z < size; ++z) {
    if (in_event(laplace_report(spec.spec(), -k_radius, z))) first_mass += law[z];
    if (in_event(laplace_report(spec.spec(), k_radius, z))) second_mass += law[z];
  }
  return {"laplace",
          fmt::format("radius {}, bits {}", k_radius, spec.spec().bits),
          nats(epsilon),
          laplace_delivered(spec.spec()),
          first_mass,
          second_mass,
          0,
          tabled_runs_aggregated(epsilon),
          [spec, in_event](bool first, PrivateCoins& coins, bool& hit) {
            std::uint32_t y = 0;
            const Status status = laplace(spec, first ? -k_radius : k_radius, coins, y);
            hit = in_event(y);
            return status;
          }};
}

/// The event is all reports from this cut on. It is near the cut that maximises the expected bound under the exact
/// distribution.
std::int32_t best_gaussian_cut(std::uint32_t variance, std::int32_t radius, std::uint64_t runs, double delta) {
  constexpr double k_planning_alpha = 0.05;
  std::int32_t best = 0;
  double best_bound = -1;
  const auto reach = static_cast<std::int32_t>(4 * std::sqrt(variance));
  for (std::int32_t cut = -radius; cut <= radius + reach; ++cut) {
    const auto expected = [&](std::int32_t input) {
      return static_cast<std::uint64_t>(static_cast<double>(runs) * gaussian_upper_tail(variance, cut - input));
    };
    const double bound = epsilon_lower_bound({expected(radius), expected(-radius), runs}, k_planning_alpha, delta);
    if (bound > best_bound) {
      best_bound = bound;
      best = cut;
    }
  }
  return best;
}

std::vector<AuditCase> gaussian_case(EpsilonNano epsilon) {
  constexpr std::int32_t k_radius = 8;
  constexpr DeltaUnits k_delta = 18446744073709u;  // 10^-6
  constexpr std::uint64_t k_runs = 40'000;         // more than for pure channels, because tail events are rare
  const auto spec = certified_spec(GaussianSpec{epsilon, k_delta, k_radius, 0, 1});
  if (!spec.valid()) return {};
  const double delta = std::ldexp(static_cast<double>(k_delta), -64);
  const std::uint32_t variance = spec.spec().variance;
  const std::int32_t cut = best_gaussian_cut(variance, k_radius, k_runs, delta);
  return {{"gaussian", fmt::format("radius {}, variance {}, delta 1e-6, reports >= {}", k_radius, variance, cut),
           nats(epsilon), gaussian_delivered(spec.spec()), gaussian_upper_tail(variance, cut - k_radius),
           gaussian_upper_tail(variance, cut + k_radius), delta, k_runs,
           [spec, cut](bool first, PrivateCoins& coins, bool& hit) {
             std::int32_t y = first ? k_radius : -k_radius;
             const Status status = gaussian(spec, {&y, 1}, coins);
             hit = y >= cut;
             return status;
           }}};
}

}  // namespace

std::vector<AuditCase> scalar_cases(EpsilonNano epsilon) {
  std::vector<AuditCase> cases{window_case(epsilon), laplace_case(epsilon)};
  for (AuditCase& c : gaussian_case(epsilon)) cases.push_back(std::move(c));
  return cases;
}

}  // namespace sotto::analyzer::audit
