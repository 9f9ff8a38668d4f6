// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "coordinate_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <boost/math/distributions/normal.hpp>

#include "sotto/analyzer/aggregate/laplace.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/propose/window.hpp"
#include "sotto/choices.hpp"

namespace sotto::analyzer {
namespace {

const boost::math::normal k_standard_normal;
constexpr std::uint32_t k_bins_min = 3, k_bins_max = 64, k_paper_grid = 63;
constexpr double k_spreads_beyond = 2, k_spreads_of_a_bin = 2;

/// An oracle over bins, and n times the variance of the share of an empty bin.
struct BinOracle {
  AnySpec spec;
  double variance = 0;
};

Result<BinOracle> vote_oracle(EpsilonNano epsilon, std::uint32_t bins) {
  const Result<VoteProposal> vote = propose_vote(epsilon, bins - 1);
  if (!vote) return vote.error();
  const VoteSpec& spec = vote.value().spec;
  if (spec.bits == 0) return BinOracle{as_grr(spec), vote.value().variance};
  return BinOracle{as_walsh_hash(spec), vote.value().variance};
}

Result<BinOracle> paper_oracle(EpsilonNano epsilon, std::uint32_t bins) {
  // The outcomes are Walsh functions 1 .. bins, so one more than the bins must fit.
  const auto log2_size = std::max(2u, static_cast<std::uint32_t>(std::bit_width(bins)));
  HadamardResponseSpec spec{epsilon, log2_size, bins, 0};
  if (const Status s = derive(spec); s != Status::ok)
    return spec_error(s, HadamardResponseSpec::k_stem, spec_text(spec));
  const double gain = 2 * std::ldexp(spec.threshold, -32) - 1;
  return BinOracle{spec, 1 / (gain * gain)};
}

/// The share of answers in the bin that contains their mean, averaged over the position of the mean within it.
double share_of_own_bin(double width, double spread) {
  constexpr int k_places = 8;
  double sum = 0;
  for (int i = 0; i < k_places; ++i) {
    const double left = (i + 0.5) / k_places * width;
    sum += cdf(k_standard_normal, (width - left) / spread) - cdf(k_standard_normal, -left / spread);
  }
  return sum / k_places;
}

struct Prediction {
  double whole = 0, misplaced = 0;
};

Prediction predicted_error(const CoordinateFacts& facts, const ValueChannel& value, double oracle_variance,
                           double range, std::uint32_t bins) {
  const double coordinates = rotated_size(facts.size), width = 2 * range / bins, half = 1.5 * width;
  const double of_value =
      (half * half * value.variance + facts.spread * facts.spread) * coordinates / facts.value_devices;
  const double share = share_of_own_bin(width, facts.spread);
  // By how many standard errors its estimated share exceeds that of an empty bin.
  const double stands_out =
      share / std::sqrt((2 * oracle_variance + share * (1 - share)) * coordinates / facts.bin_devices);
  const double wrong = std::min(1.0, (bins - 2.0) * cdf(complement(k_standard_normal, stands_out)));
  const double misplaced = wrong * (range * range + facts.reach * facts.reach) / 3;
  return {coordinates * (of_value + misplaced), misplaced};
}

}  // namespace

Result<ValueChannel> value_channel(const RegressionTerms& terms) {
  if (!terms.paper) {
    const Result<WindowProposal> window = propose_window(terms.epsilon);
    if (!window) return window.error();
    return ValueChannel{window.value().spec, window.value().worst_variance};
  }
  LaplaceSpec spec{terms.epsilon, k_paper_grid, 0};
  if (const Status s = derive(spec); s != Status::ok) return spec_error(s, LaplaceSpec::k_stem, spec_text(spec));
  return ValueChannel{spec, laplace_noise_variance(spec) / (k_paper_grid * k_paper_grid)};
}

Result<CoordinatePlan> plan_coordinates(const RegressionTerms& terms, const ValueChannel& value,
                                        const CoordinateFacts& facts) {
  CoordinatePlan best;
  best.predicted = std::numeric_limits<double>::infinity();
  const double range = terms.paper ? facts.reach : facts.reach + k_spreads_beyond * facts.spread;
  const double fit = 2 * range / (k_spreads_of_a_bin * facts.spread);
  std::uint32_t first = k_bins_min;
  auto last = static_cast<std::uint32_t>(std::clamp(std::floor(fit), 1.0 * k_bins_min, 1.0 * k_bins_max));
  if (terms.paper) first = last = static_cast<std::uint32_t>(std::clamp(std::ceil(fit), 2.0, 1.0 * k_bins_max));
  for (std::uint32_t bins = first; bins <= last; ++bins) {
    const Result<BinOracle> oracle = terms.paper ? paper_oracle(terms.epsilon, bins) : vote_oracle(terms.epsilon, bins);
    if (!oracle) return oracle.error();
    const Prediction predicted = predicted_error(facts, value, oracle.value().variance, range, bins);
    if (predicted.whole < best.predicted)
      best = {oracle.value().spec, bins, range, predicted.whole, predicted.misplaced};
  }
  return best;
}

}  // namespace sotto::analyzer
