// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/gaussian.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/aggregate/power_sums.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::int32_t k_report_limit = 1 << 23;  // a coordinate travels as a 24-bit number

// The sampler's largest value is 65 scales of at most isqrt(2^25) + 1 = 5793 steps, so clamping to the wire's 24 bits
// changes nothing.
static_assert(65 * 5793 + static_cast<std::int32_t>(k_gaussian_radius_max) < k_report_limit);

SumsShape shape_of(const GaussianSpec& spec) {
  return power_sums_shape(GaussianSpec::k_stem, digest_of(spec), spec.dimension);
}

}  // namespace

double discrete_gaussian_variance(std::uint32_t parameter) {
  const double twice = 2.0 * parameter;
  // Terms beyond 12 standard deviations are below e^-72 of the first.
  const auto last = static_cast<std::int64_t>(12 * std::sqrt(static_cast<double>(parameter))) + 12;
  double mass = 0, square = 0;
  for (std::int64_t z = last; z >= 1; --z) {  // small terms first
    const auto size = static_cast<double>(z);
    const double weight = std::exp(-size * size / twice);
    mass += weight;
    square += size * size * weight;
  }
  return 2 * square / (1 + 2 * mass);
}

Result<GaussianAggregate> GaussianAggregate::open(const GaussianSpec& spec) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return GaussianAggregate{spec, Sums{shape_of(spec)}};
}

bool GaussianAggregate::absorb(std::span<const std::int32_t> report) noexcept {
  bool good = report.size() == spec_.dimension && sums_.has_room();
  for (const std::int32_t v : report) good &= v >= -k_report_limit && v < k_report_limit;
  if (!good) {
    sums_.count_refused();
    return false;
  }
  add_powers(sums_.values(), report);
  sums_.count_used();
  return true;
}

Result<GaussianAggregate> GaussianAggregate::load(const GaussianSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec), bytes);
  if (!sums.ok()) return sums.error();
  return GaussianAggregate{spec, std::move(sums).value()};
}

std::vector<ScalarMean> GaussianAggregate::close() const {
  const double variance = discrete_gaussian_variance(spec_.variance);
  std::vector<ScalarMean> out;
  for (std::size_t j = 0; j < spec_.dimension; ++j) out.push_back(mean_from_powers(sums_, j, variance));
  return out;
}

}  // namespace sotto::analyzer
