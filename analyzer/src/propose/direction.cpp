// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/direction.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "closest.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/math/priv_unit.hpp"
#include "sotto/analyzer/propose/cross_polytope.hpp"
#include "sotto/analyzer/propose/sphere_code.hpp"
#include "sotto/wide.hpp"

namespace sotto::analyzer {

namespace {

constexpr double k_as_good = 1.01;
constexpr std::uint64_t k_coin_block = 685, k_coin_block_bytes = 64;
constexpr std::uint32_t k_log2_size_min = 6, k_log2_size_max = 12;

/// Selection of the k-th largest key: fixing one of its bits takes a pass over all numbers, and one more pass picks the
/// outcome.
std::uint64_t selection(std::uint64_t numbers, std::uint64_t key_bits) { return numbers * (10 * key_bits + 32); }

bool within(const DeviceWork& work, const DeviceWork& most) {
  return work.instructions <= most.instructions && work.work_bytes <= most.work_bytes;
}

template <class Spec>
DirectionProposal proposal(const Spec& spec, const DirectionError& error) {
  return {spec, error, 0.0, device_work(spec), bit_length(channel(spec).outcomes - 1)};
}

/// All candidates that the device can afford, each with its best k.
std::vector<DirectionProposal> candidates(EpsilonNano epsilon, std::uint32_t dimension, const DeviceWork& most) {
  std::vector<DirectionProposal> found;
  if (HemisphereSpec spec{epsilon, dimension, 0}; derive_checked(spec).ok() && within(device_work(spec), most)) {
    found.push_back(proposal(spec, direction_error(spec)));
  }
  for (std::uint32_t m = std::max(k_log2_size_min, bit_length(dimension - 1)); m <= k_log2_size_max; ++m) {
    if (!within(device_work(CrossPolytopeSpec{epsilon, m, dimension, 1, 0}), most)) break;
    if (const auto best = propose_cross_polytope(epsilon, m, dimension))
      found.push_back(proposal(best.value().spec, best.value().error));
  }
  for (std::uint32_t codewords = 256; codewords <= k_codewords_max && dimension <= k_sphere_dimension_max;
       codewords *= 2) {
    if (!within(device_work(SphereCodeSpec{epsilon, dimension, codewords, 1, 0}), most)) break;
    if (const auto best = propose_sphere_code(epsilon, dimension, codewords))
      found.push_back(proposal(best.value().spec, best.value().error));
  }
  return found;
}

}  // namespace

DeviceWork device_work(const HemisphereSpec& spec) noexcept {
  return {spec.dimension * std::uint64_t{31} + spec.dimension * k_coin_block / k_coin_block_bytes, 0};
}

DeviceWork device_work(const CrossPolytopeSpec& spec) noexcept {
  const std::uint64_t size = std::uint64_t{1} << spec.log2_size;
  const std::uint64_t rounds = 3 * (size * spec.log2_size / 2 * 12 + size * 8);
  return {rounds + selection(size, 16 + spec.log2_size) + 3 * size / 8 * k_coin_block / k_coin_block_bytes,
          static_cast<std::uint32_t>(4 * size)};
}

DeviceWork device_work(const SphereCodeSpec& spec) noexcept {
  const std::uint64_t numbers = std::uint64_t{spec.codewords} * spec.dimension;
  constexpr std::uint64_t k_inverse_length = 930;  // a square root and a division, bit by bit
  return {numbers * 58 + 2 * numbers * k_coin_block / k_coin_block_bytes + spec.codewords * k_inverse_length +
              selection(spec.codewords, 16 + bit_length(spec.codewords - 1)),
          2 * spec.codewords};
}

Result<DirectionProposal> propose_direction(EpsilonNano epsilon, std::uint32_t dimension, const DeviceWork& most) {
  if (dimension < 2 || dimension > std::uint32_t{1} << k_log2_size_max) {
    return spec_error(Status::bad_dimension, Stem::cross_polytope, std::to_string(dimension) + " coordinates");
  }
  if (epsilon == 0 || epsilon > k_epsilon_max) {
    return spec_error(Status::bad_epsilon, Stem::cross_polytope, std::to_string(epsilon) + " nano-nats");
  }
  std::vector<DirectionProposal> found = candidates(epsilon, dimension, most);
  if (found.empty()) {
    return Error{
        "direction.too_little_work",
        "no randomizer for a direction of " + std::to_string(dimension) + " coordinates fits the device's limits",
        std::to_string(most.instructions) + " instructions, " + std::to_string(most.work_bytes) + " bytes",
        "allow more of either, or ask for fewer coordinates"};
  }
  const auto error = [](const DirectionProposal& p) { return p.error.mean_square(); };
  const double good = k_as_good * error(*std::ranges::min_element(found, {}, error));
  std::erase_if(found, [&](const DirectionProposal& p) { return error(p) > good; });
  DirectionProposal best =
      *std::ranges::min_element(found, {}, [](const DirectionProposal& p) { return p.work.instructions; });
  best.over_priv_unit = error(best) / priv_unit_error(dimension, static_cast<double>(epsilon) / k_epsilon_one);
  return best;
}

}  // namespace sotto::analyzer
