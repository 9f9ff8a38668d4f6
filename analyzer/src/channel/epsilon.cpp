// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/epsilon.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sotto/spec/gaussian_points.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_nano = 1e9;
constexpr double k_nats_max = static_cast<double>(k_epsilon_max) / k_nano;

Error refusal(std::string_view where, std::string_view reason, double nats) {
  return {"study.bad_epsilon", fmt::format("{} {}", where, reason), fmt::format("{}", nats),
          "write a number of nats above 0 and at most 12, for example 1"};
}

}  // namespace

Result<EpsilonNano> epsilon_from_nats(double nats, std::string_view where) {
  if (std::isnan(nats)) return refusal(where, "is not a number", nats);
  if (std::isinf(nats)) return refusal(where, "is infinite", nats);
  if (nats == 0) return refusal(where, "is zero, which lets no answer through", nats);
  if (nats < 0) return refusal(where, "is negative", nats);
  if (nats > k_nats_max) return refusal(where, "is above 12 nats, where a report is the answer itself", nats);
  // n / 10^9 as a double is the double nearest to that decimal, so it equals `nats` if the file has those decimals.
  auto nano = static_cast<EpsilonNano>(std::llround(nats * k_nano));
  if (static_cast<double>(nano) / k_nano > nats && nano > 0) --nano;
  if (nano == 0) return refusal(where, "is below one nano-nat, the smallest that is counted", nats);
  return nano;
}

std::string nats_text(EpsilonNano epsilon) {
  std::string text = fmt::format("{}.{:09}", epsilon / k_epsilon_one, epsilon % k_epsilon_one);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Result<DeltaUnits> delta_from_chance(double chance, std::string_view where) {
  const double units = std::ldexp(chance, 64);
  if (!(chance > 0 && chance < 1) || units < 1) {
    return Error{"study.bad_delta", fmt::format("{} is not a chance above 0 and below 1", where),
                 fmt::format("{}", chance), "write 1e-6, or leave delta out"};
  }
  for (const GaussianPoint& point : k_gaussian_points) {
    if (std::abs(units - static_cast<double>(point.delta)) <= 1e-12 * units) return point.delta;
  }
  return static_cast<DeltaUnits>(units);
}

double delta_chance(DeltaUnits delta) noexcept { return std::ldexp(static_cast<double>(delta), -64); }

std::string delta_text(DeltaUnits delta) { return delta == 0 ? "0" : fmt::format("{:.3g}", delta_chance(delta)); }

}  // namespace sotto::analyzer
