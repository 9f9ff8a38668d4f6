// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "drawn_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sotto/analyzer/aggregate/sums.hpp"
#include "sotto/analyzer/aggregate/walsh_transform.hpp"
#include "sotto/bytes.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_two_to_32 = 4294967296.0;
// Smaller cohorts vote one by one: rounding a spectrum to integers would add to their noise.
constexpr std::uint64_t k_one_by_one = 4000;

// The layout of stored sums (aggregate/sums.hpp).
constexpr std::size_t k_used_at = 1 + 1 + 32, k_count_at = k_used_at + 8 + 8, k_values_at = k_count_at + 4;

std::size_t count_of(const std::vector<std::uint8_t>& saved) { return (saved.size() - k_values_at - 32) / 8; }

/// The aggregate of the round with these sums.
Result<RoundAggregate> with_sums(const Manifest& manifest, const Round& round, std::vector<std::uint8_t> saved,
                                 std::uint64_t used, const std::vector<std::int64_t>& sums) {
  const std::span<std::uint8_t> bytes(saved);
  ByteWriter head(bytes.subspan(k_used_at, 8));
  head.u64(used);
  ByteWriter values(bytes.subspan(k_values_at, 8 * sums.size()));
  for (const std::int64_t s : sums) values.u64(static_cast<std::uint64_t>(s));
  Digest digest;
  Sha256 hash;
  hash.add(bytes.first(saved.size() - digest.size()));
  hash.finish(digest);
  std::ranges::copy(digest, saved.end() - static_cast<std::ptrdiff_t>(digest.size()));
  return RoundAggregate::load(manifest, round, saved);
}

/// How many devices of the whole cohort hold each category.
std::vector<std::uint64_t> held_by(const DrawnVotes& cohort, Draws& draws) {
  std::vector<std::uint64_t> out(cohort.votes.size(), 0);
  std::uint64_t left = cohort.size;
  double weight = static_cast<double>(cohort.drawn);
  for (std::size_t v = 0; v < out.size() && left > 0; ++v) {
    out[v] = cohort.drawn == cohort.size ? static_cast<std::uint64_t>(std::llround(cohort.votes[v]))
                                         : draws.binomial(left, std::clamp(cohort.votes[v] / weight, 0.0, 1.0));
    out[v] = std::min(out[v], left);
    left -= out[v];
    weight = std::max(1e-12, weight - cohort.votes[v]);
  }
  out.back() += left;
  return out;
}

/// The histogram of reports of randomized response, in which each device says another category with equal odds.
std::vector<std::int64_t> response_counts(const std::vector<std::uint64_t>& held, double own, Draws& draws) {
  std::vector<std::int64_t> out(held.size(), 0);
  std::uint64_t away = 0;
  for (std::size_t v = 0; v < held.size(); ++v) {
    const std::uint64_t kept = draws.binomial(held[v], own);
    out[v] += static_cast<std::int64_t>(kept);
    away += held[v] - kept;
  }
  // Those that say another one: nearly uniform over all, as none is held by most.
  for (std::size_t v = 0; v < held.size(); ++v) {
    const std::uint64_t here = draws.binomial(away, 1.0 / static_cast<double>(held.size() - v));
    out[v] += static_cast<std::int64_t>(here);
    away -= here;
  }
  return out;
}

/// The Walsh spectrum of the supports of each category.
std::vector<std::int64_t> hash_spectrum(const std::vector<std::uint64_t>& held, std::uint32_t bits, double own,
                                        std::uint64_t size, std::size_t places, Draws& draws) {
  const double buckets = std::ldexp(1.0, static_cast<int>(bits));
  std::vector<std::int64_t> spectrum(places);
  for (std::size_t v = 0; v < places; ++v) {
    const std::uint64_t holders = v < held.size() ? held[v] : 0;
    const std::uint64_t supports = draws.binomial(holders, own) + draws.binomial(size - holders, 1 / buckets);
    spectrum[v] = (static_cast<std::int64_t>(supports) << bits) - static_cast<std::int64_t>(size);
  }
  walsh_transform_wrap(spectrum);
  for (std::int64_t& s : spectrum) s = std::llround(static_cast<double>(s) / static_cast<double>(places));
  // No report adds more than this to a sum.
  const auto most = static_cast<std::int64_t>(size) * ((std::int64_t{1} << bits) - 1);
  for (std::int64_t& s : spectrum) s = std::clamp(s, -most, most);
  return spectrum;
}

Result<RoundAggregate> hashed_one_by_one(const Manifest& manifest, const Round& round, const VoteSpec& spec,
                                         const std::vector<std::uint64_t>& held, Draws& draws) {
  Result<RoundAggregate> out = RoundAggregate::open(manifest, round);
  if (!out) return out;
  const std::uint32_t buckets = std::uint32_t{1} << spec.bits;
  for (std::uint32_t v = 0; v < held.size(); ++v) {
    for (std::uint64_t i = 0; i < held[v]; ++i) {
      const CoinLabel label{manifest.seed, draws.word(), round.number};
      std::uint32_t report = walsh_parities(spec.bits, label, v);
      if (draws.unit() >= spec.threshold / k_two_to_32)
        report = (report + 1 + static_cast<std::uint32_t>(draws.below(buckets - 1))) % buckets;
      out.value().absorb(label.pseudonym, report);
    }
  }
  return out;
}

/// What one unit of a sum of squares, and a sum of squares of zero, are worth in the errors that the aggregate states.
struct SquareUnit {
  double step = 0;                ///< of a mean, times the number of reports
  double per_unit = 0, none = 0;  ///< of a mean square
};
Result<SquareUnit> square_unit(const Manifest& manifest, const Round& round, const std::vector<std::uint8_t>& empty) {
  constexpr std::uint64_t k_reports = 1024;
  constexpr std::int64_t k_probe = 4096;
  const std::size_t count = count_of(empty);
  std::vector<std::int64_t> sums(count, 0);
  const auto square = [&](std::int64_t sum, std::int64_t of_squares, double& mean) -> Result<double> {
    std::fill(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(count / 2), sum);
    std::fill(sums.begin() + static_cast<std::ptrdiff_t>(count / 2), sums.end(), of_squares);
    const Result<RoundAggregate> probe = with_sums(manifest, round, empty, k_reports, sums);
    if (!probe) return probe.error();
    const VectorMean told = probe.value().direction();
    mean = told.mean[0];
    return told.standard_error[0] * told.standard_error[0] * (k_reports - 1.0) + mean * mean;
  };
  SquareUnit out;
  double mean = 0;
  const Result<double> none = square(0, 0, mean), some = square(0, k_probe, mean);
  if (!none) return none.error();
  if (!some) return some.error();
  const Result<double> moved = square(k_probe, k_probe, mean);
  if (!moved) return moved.error();
  out.none = none.value();
  out.per_unit = (some.value() - none.value()) * k_reports / k_probe;
  out.step = mean * k_reports / k_probe;
  return out;
}

}  // namespace

Result<RoundAggregate> vote_sums(const Manifest& manifest, const Round& round, const VoteSpec& spec,
                                 const DrawnVotes& cohort, Draws& draws) {
  const Result<RoundAggregate> empty = RoundAggregate::open(manifest, round);
  if (!empty || cohort.size == 0) return empty;
  const std::vector<std::uint64_t> held = held_by(cohort, draws);
  const double own = spec.threshold / k_two_to_32;
  std::vector<std::uint8_t> saved = empty.value().save();
  if (static_cast<VoteOracle>(spec.oracle) == VoteOracle::grr) {
    // Of those that say "another one, whichever", as many as there are categories say their own.
    const double another = (1 - own) / (static_cast<double>(held.size()) - 1);
    return with_sums(manifest, round, std::move(saved), cohort.size, response_counts(held, own - another, draws));
  }
  if (cohort.size <= k_one_by_one) return hashed_one_by_one(manifest, round, spec, held, draws);
  const std::size_t places = count_of(saved);
  return with_sums(manifest, round, std::move(saved), cohort.size,
                   hash_spectrum(held, spec.bits, own, cohort.size, places, draws));
}

namespace {

/// The largest term that one report can add to a sum of this round, or the largest that is looked for.
std::int64_t largest_term(const Manifest& manifest, const Round& round, const std::vector<std::uint8_t>& saved,
                          std::size_t count) {
  std::int64_t fits = 0;
  for (std::int64_t step = k_term_max; step > 0; step /= 2) {
    const std::vector<std::int64_t> sums(count, fits + step);
    if (fits + step <= k_term_max && with_sums(manifest, round, saved, 1, sums).ok()) fits += step;
  }
  return fits;
}

}  // namespace

Result<RoundAggregate> direction_sums(const Manifest& manifest, const Round& round, const DirectionError& law,
                                      const DrawnDirections& cohort, Draws& draws) {
  const Result<RoundAggregate> empty = RoundAggregate::open(manifest, round);
  if (!empty || cohort.size == 0) return empty;
  const std::vector<std::uint8_t> saved = empty.value().save();
  const std::size_t count = count_of(saved), size = cohort.mean.size();
  const bool with_squares = count == 2 * size;
  const auto n = static_cast<double>(cohort.size);
  double step = 0, per_square = 1, no_square = 0;
  if (with_squares) {
    const Result<SquareUnit> unit = square_unit(manifest, round, saved);
    if (!unit) return unit.error();
    step = unit.value().step;
    per_square = unit.value().per_unit;
    no_square = unit.value().none;
  } else {
    std::vector<std::int64_t> probe(count, 1);
    const Result<RoundAggregate> told = with_sums(manifest, round, saved, 1, probe);
    if (!told) return told.error();
    step = told.value().direction().mean[0];
  }
  std::vector<std::int64_t> sums(count, 0);
  // A normal law has no ends, and sums of a few reports have.
  const std::int64_t most = largest_term(manifest, round, saved, count) * static_cast<std::int64_t>(cohort.size);
  for (std::size_t j = 0; j < size; ++j) {
    const double held = cohort.mean[j], second = law.along * cohort.square[j] + law.across * (1 - cohort.square[j]);
    // Around the answers that were looked at only the channel varies; around the fleet's mean the devices do, too.
    const double around = cohort.is_whole ? cohort.square[j] : held * held;
    const double mean = held + std::sqrt(std::max(0.0, second - around) / n) * draws.normal();
    sums[j] = std::clamp<std::int64_t>(std::llround(mean * n / step), -most, most);
    if (!with_squares) continue;
    const double square = second * std::max(0.1, 1 + std::sqrt(2 / n) * draws.normal());
    sums[size + j] = std::clamp<std::int64_t>(std::llround((square - no_square) * n / per_square), 0, most);
  }
  return with_sums(manifest, round, saved, cohort.size, sums);
}

Result<RoundAggregate> block_sums(const Manifest& manifest, const Round& round, const BlockSpec& spec,
                                  const std::vector<double>& signs, std::uint64_t size, Draws& draws) {
  const Result<RoundAggregate> empty = RoundAggregate::open(manifest, round);
  if (!empty || size == 0) return empty;
  const double agreement = block_agreement(spec);
  std::vector<std::int64_t> sums(2 * signs.size(), 0);
  for (std::size_t j = 0; j < signs.size(); ++j) {
    const std::uint64_t n = draws.binomial(size, spec.width / static_cast<double>(signs.size()));
    const std::uint64_t plus = draws.binomial(n, std::clamp((1 + agreement * signs[j]) / 2, 0.0, 1.0));
    sums[j] = 2 * static_cast<std::int64_t>(plus) - static_cast<std::int64_t>(n);
    sums[signs.size() + j] = static_cast<std::int64_t>(n);
  }
  return with_sums(manifest, round, empty.value().save(), size, sums);
}

}  // namespace sotto::analyzer
