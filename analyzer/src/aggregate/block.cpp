// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/block.hpp"

#include <array>
#include <boost/math/special_functions/binomial.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::uint32_t k_coordinates_max = std::uint32_t{1} << 24;

SumsShape shape_of(const BlockSpec& spec, std::uint32_t coordinates) {
  SumsShape shape;
  shape.stem = BlockSpec::k_stem;
  shape.spec = digest_of(spec);
  shape.count = std::size_t{2} * coordinates;
  return shape;
}

Result<Done> check(const BlockSpec& spec, std::uint32_t coordinates) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  if (coordinates < spec.width || coordinates > k_coordinates_max) {
    return spec_error(Status::bad_dimension, BlockSpec::k_stem,
                      std::to_string(coordinates) + " coordinates, blocks of " + std::to_string(spec.width));
  }
  return Done{};
}

}  // namespace

double block_agreement(const BlockSpec& spec) {
  return boost::math::binomial_coefficient<double>(spec.width - 1, spec.flips) * two_level_contrast(channel(spec));
}

Result<BlockAggregate> BlockAggregate::open(const BlockSpec& spec, std::uint32_t coordinates) {
  if (const auto checked = check(spec, coordinates); !checked) return checked.error();
  return BlockAggregate{spec, coordinates, Sums{shape_of(spec, coordinates)}};
}

bool BlockAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (report >> spec_.width != 0 || !sums_.has_room()) {
    sums_.count_refused();
    return false;
  }
  std::array<std::uint32_t, k_block_width_max> held;
  block_coordinates(label, coordinates_, std::span{held}.first(spec_.width));
  std::int64_t* sums = sums_.values().data();
  std::int64_t* counts = sums + coordinates_;
  for (std::uint32_t i = 0; i < spec_.width; ++i) {
    sums[held[i]] += ((report >> i) & 1u) != 0 ? -1 : 1;
    counts[held[i]] += 1;
  }
  sums_.count_used();
  return true;
}

Result<BlockAggregate> BlockAggregate::load(const BlockSpec& spec, std::uint32_t coordinates,
                                            std::span<const std::uint8_t> bytes) {
  if (const auto checked = check(spec, coordinates); !checked) return checked.error();
  Result<Sums> sums = Sums::load(shape_of(spec, coordinates), bytes);
  if (!sums) return sums.error();
  return BlockAggregate{spec, coordinates, std::move(sums).value()};
}

VectorMean BlockAggregate::close() const {
  constexpr double k_unknown = std::numeric_limits<double>::infinity();
  const std::size_t p = coordinates_;
  const double agreement = block_agreement(spec_);
  VectorMean out{std::vector<double>(p, 0.0), std::vector<double>(p, k_unknown), std::vector<double>(p, k_unknown),
                 sums_.used(), sums_.refused()};
  for (std::size_t j = 0; j < p; ++j) {
    const double n = static_cast<double>(sums_.values()[p + j]);
    if (n <= 0.0) continue;
    const double sign = static_cast<double>(sums_.values()[j]) / n;
    const double variance = std::max(0.0, 1.0 - sign * sign) / (agreement * agreement);
    out.mean[j] = sign / agreement;
    // A mean of signs is at most 1 in absolute value: a few reports that all agree do not prove a certain answer.
    out.noise_error[j] =
        std::sqrt(std::max(0.0, 1 / (agreement * agreement) - std::min(1.0, out.mean[j] * out.mean[j])) / n);
    if (n > 1.0) out.standard_error[j] = std::sqrt(variance / (n - 1.0));
  }
  return out;
}

}  // namespace sotto::analyzer
