// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "law_fleet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "cohort_sizes.hpp"
#include "mean_answer.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/link.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto::analyzer {
namespace {

// Reports of one number are drawn one by one. A cohort that is larger is drawn as if it had this many devices: a measured
// gain is known to a hundredth by then, and what other rounds would still gain is left out of the prediction.
constexpr std::uint64_t k_gains_max = 100000, k_scalars_max = 400000;

constexpr double k_word = 4294967296.0;
constexpr std::uint64_t k_fleet_stream = 0x706c616e;

Error no_law(const char* what, std::string value) {
  return {"plan.no_law", std::string("the plan has no law for this ") + what, std::move(value),
          "simulate it: sotto simulate"};
}

bool has_law(const Round& round) {
  const bool known_link = round.link == static_cast<std::uint8_t>(LinkKind::identity);
  switch (round.question) {
    case QuestionKind::vote: return round.recipe == Recipe::screen || round.recipe == Recipe::largest_mean;
    case QuestionKind::direction:
    case QuestionKind::bin:
    case QuestionKind::value:
      if (round.recipe == Recipe::gain) {
        const std::uint32_t measure = round.parameter[recipe::gain::measure];
        return known_link && (measure == k_measure_gain || measure == k_measure_better || measure == k_measure_square ||
                              measure == k_measure_fit);
      }
      return known_link && (round.recipe == Recipe::least_squares || round.recipe == Recipe::gradient ||
                            round.recipe == Recipe::row_gradient || round.recipe == Recipe::means);
    case QuestionKind::block: return known_link && round.recipe == Recipe::signs;
    default: return false;
  }
}

/// The moments of one decoded direction report.
std::optional<DirectionError> direction_law(const AnySpec& any) {
  return std::visit(
      [](const auto& spec) -> std::optional<DirectionError> {
        if constexpr (requires { direction_error(spec); })
          return direction_error(spec);
        else
          return std::nullopt;
      },
      any);
}

/// A report of the window randomizer for an answer in [-1, 1].
std::uint32_t window_report_of(const WindowSpec& spec, double answer, Draws& draws) {
  const std::uint32_t levels = spec.outcomes - spec.width + 1;
  const double at = (answer + 1) / 2 * (levels - 1), below = std::floor(at);
  const auto level = static_cast<std::uint32_t>(std::min(levels - 1.0, below + (draws.unit() < at - below ? 1 : 0)));
  if (draws.unit() < spec.threshold / k_word) return level + static_cast<std::uint32_t>(draws.below(spec.width));
  const auto other = static_cast<std::uint32_t>(draws.below(spec.outcomes - spec.width));
  return other < level ? other : other + spec.width;
}

std::uint32_t grr_report_of_bin(const GrrSpec& spec, std::uint32_t bin, Draws& draws) {
  if (draws.unit() < spec.threshold / k_word) return bin;
  const auto other = static_cast<std::uint32_t>(draws.below(spec.categories - 1));
  return other < bin ? other : other + 1;
}

}  // namespace

LawFleet::LawFleet(const SyntheticWorld& world, const Manifest& manifest, double dropout, std::uint64_t seed,
                   const LawEffort& effort)
    : world_(world),
      manifest_(manifest),
      seed_(seed),
      effort_(effort),
      draws_(seed, k_fleet_stream),
      sizes_(cohort_sizes(manifest, world.devices(), dropout, draws_)) {}

LawFleet::Cohort LawFleet::cohort_of(const AskedRound& asked) {
  const Round& round = asked.round;
  Cohort out{StandIns(world_, asked.features, manifest_.nominal_rows, manifest_.units,
                      splitmix(seed_ + 0x9e37 * std::uint64_t{round.number})),
             0, 0};
  for (std::size_t c = 0; c < sizes_.size(); ++c) {
    if (round.cohort == k_every_cohort || round.cohort == c) out.size += sizes_[c];
  }
  // Fewer than so many say little; but a round may not take seconds either.
  constexpr double k_least = 100, k_few = 8, k_numbers_most = 3e6;
  const double least = std::clamp(k_numbers_most / out.devices.cost(), k_few,
                                  std::min(k_least, static_cast<double>(effort_.devices) / 4));
  const double affordable = std::max(least, effort_.numbers / out.devices.cost());
  out.drawn = std::min({out.size, effort_.devices, static_cast<std::uint64_t>(affordable)});
  return out;
}

Result<RoundAggregate> LawFleet::votes(const AskedRound& placed, const VoteSpec& spec) {
  AskedRound asked = placed;
  const Cohort cohort = cohort_of(asked);
  place_model(cohort.devices, asked);
  const std::vector<std::uint32_t>& made = cohort.devices.features();
  DrawnVotes out{std::vector<double>(spec.features + 1, 0), cohort.size, cohort.drawn};  // the last is "none"
  std::vector<std::uint32_t> other;
  for (std::uint32_t j = 0, at = 0; j < spec.features; ++j) {
    if (at < made.size() && made[at] == j)
      ++at;
    else
      other.push_back(j);
  }
  double others = 0;
  for (std::uint64_t i = 0; i < cohort.drawn; ++i) {
    const LocalVote vote = local_vote(cohort.devices, asked, cohort.devices.read(i));
    if (vote.strongest < 0) {
      out.votes[spec.features] += 1;
    } else if (!cohort.is_whole()) {
      out.votes[made[static_cast<std::size_t>(vote.strongest)]] += 1 - vote.others_win;
      others += vote.others_win;
    } else if (draws_.unit() < vote.others_win) {
      out.votes[other[draws_.below(other.size())]] += 1;
    } else {
      out.votes[made[static_cast<std::size_t>(vote.strongest)]] += 1;
    }
  }
  for (const std::uint32_t j : other) out.votes[j] += others / static_cast<double>(other.size());
  return vote_sums(manifest_, asked.round, spec, out, draws_);
}

Result<RoundAggregate> LawFleet::direction(const AskedRound& placed, const DirectionError& law) {
  AskedRound asked = placed;
  const Cohort cohort = cohort_of(asked);
  place_model(cohort.devices, asked);
  const std::vector<std::uint32_t>& features = cohort.devices.features();
  const std::size_t size = asked.asks_all ? manifest_.features : asked.features.size();
  const double radius = asked.parameter(recipe::vector::radius) / asked.answer_unit();
  // The lifted answers of the stand-ins: means and mean squares by coordinate, then those of all others and the pole.
  const auto made = static_cast<Eigen::Index>(asked.asks_all ? features.size() : size);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(made), square = mean;
  double of_others = 0, pole = 0, pole_square = 0;
  for (std::uint64_t i = 0; i < cohort.drawn; ++i) {
    double others = 0;
    Eigen::VectorXd answer = local_vector(cohort.devices, asked, cohort.devices.read(i), others, draws_);
    const double length = std::sqrt(answer.squaredNorm() + others), factor = 1 / std::max(radius, length);
    answer *= factor;
    mean += answer;
    square += answer.cwiseAbs2();
    of_others += others * factor * factor;
    const double up_square = std::max(0.0, 1 - length * length * factor * factor);
    pole += std::sqrt(up_square);
    pole_square += up_square;
  }
  const auto drawn = static_cast<double>(std::max<std::uint64_t>(1, cohort.drawn));
  mean /= drawn;
  square /= drawn;
  if (!cohort.is_whole()) mean = without_chance(cohort.devices, asked, mean);
  const double others = cohort.devices.others();
  DrawnDirections out{std::vector<double>(size + 1, 0), std::vector<double>(size + 1, 0), cohort.size,
                      cohort.is_whole()};
  const double other_square = others > 0 ? of_others / drawn / others : 0;
  for (std::size_t j = 0, at = 0; j < size; ++j) {
    const bool is_made = !asked.asks_all || (at < features.size() && features[at] == j);
    const auto place = static_cast<Eigen::Index>(asked.asks_all ? at : j);
    // What the others answer is no one's in particular: they vary around zero as a fleet does.
    out.mean[j] = is_made ? mean[place] : out.is_whole ? std::sqrt(other_square / drawn) * draws_.normal() : 0;
    out.square[j] = is_made ? square[place] : other_square;
    at += is_made ? 1 : 0;
  }
  out.mean[size] = pole / drawn;
  out.square[size] = pole_square / drawn;
  return direction_sums(manifest_, asked.round, law, out, draws_);
}

Result<RoundAggregate> LawFleet::block(const AskedRound& placed, const BlockSpec& spec) {
  AskedRound asked = placed;
  const Cohort cohort = cohort_of(asked);
  place_model(cohort.devices, asked);
  const std::vector<std::uint32_t>& features = cohort.devices.features();
  const std::size_t size = asked.asks_all ? manifest_.features : asked.features.size();
  const double bound = asked.parameter(recipe::signs::bound) / asked.unit;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(asked.asks_all ? features.size() : size));
  for (std::uint64_t i = 0; i < cohort.drawn; ++i) {
    const LocalRows rows = cohort.devices.read(i);
    // A device answers from one of the nominal rows. One that it does not hold says signs at random.
    if (rows.y.size() == 0) continue;
    const double residual = std::clamp(left_of(asked, rows)[0] / bound, -1.0, 1.0);
    const Eigen::VectorXd row = asked.asks_all ? Eigen::VectorXd(rows.x.row(0).transpose())
                                               : Eigen::VectorXd(rows.x(0, asked.place).transpose());
    mean += residual * row.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
  }
  mean /= static_cast<double>(std::max<std::uint64_t>(1, cohort.drawn));
  if (!cohort.is_whole()) mean = without_chance(cohort.devices, asked, mean);
  std::vector<double> signs(size, 0);
  for (std::size_t j = 0, at = 0; j < size; ++j) {
    const bool is_made = !asked.asks_all || (at < features.size() && features[at] == j);
    if (is_made) signs[j] = mean[static_cast<Eigen::Index>(asked.asks_all ? at : j)];
    at += is_made ? 1 : 0;
  }
  return block_sums(manifest_, asked.round, spec, signs, cohort.size, draws_);
}

/// The rotated coordinates of every stand-in, in full scales; of the recipe `gain` its one answer.
std::vector<std::vector<double>> LawFleet::coordinates(const AskedRound& asked, const Cohort& cohort) {
  std::vector<std::vector<double>> out;
  if (asked.round.recipe == Recipe::gain) {
    for (std::uint64_t i = 0; i < cohort.drawn; ++i) out.push_back({local_gain(asked, cohort.devices.read(i))});
    return out;
  }
  std::vector<Eigen::VectorXd> answers;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(asked.place.size()));
  for (std::uint64_t i = 0; i < cohort.drawn; ++i) {
    double others = 0;
    answers.push_back(local_vector(cohort.devices, asked, cohort.devices.read(i), others, draws_));
    mean += answers.back() / static_cast<double>(cohort.drawn);
  }
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(mean.size());
  if (!cohort.is_whole()) moved = without_chance(cohort.devices, asked, mean) - mean;
  for (Eigen::VectorXd& answer : answers) {
    answer = (answer + moved) * asked.answer_unit();
    out.push_back(rotate(manifest_.seed, {answer.data(), static_cast<std::size_t>(answer.size())}));
  }
  return out;
}

Result<RoundAggregate> LawFleet::scalars(const AskedRound& placed, const AnySpec& any) {
  const auto* const window = std::get_if<WindowSpec>(&any);
  const auto* const grr = std::get_if<GrrSpec>(&any);
  const auto* const hash = std::get_if<WalshHashSpec>(&any);
  if (window == nullptr && grr == nullptr && hash == nullptr)
    return no_law("randomizer", std::string(facts_of(any).stem));
  AskedRound asked = placed;
  const Cohort cohort = cohort_of(asked);
  place_model(cohort.devices, asked);
  Result<RoundAggregate> out = RoundAggregate::open(manifest_, asked.round);
  if (!out || cohort.drawn == 0) return out;
  const std::vector<std::vector<double>> answers = coordinates(asked, cohort);
  const Round& round = asked.round;
  const std::uint32_t size = asked_vector_size(manifest_, round);
  const std::uint64_t drawn = std::min(cohort.size, round.recipe == Recipe::gain ? k_gains_max : k_scalars_max);
  for (std::uint64_t i = 0; i < drawn; ++i) {
    const std::vector<double>& answer = answers[cohort.is_whole() ? i : draws_.below(answers.size())];
    const std::uint64_t pseudonym = draws_.word();
    const CoinLabel label{manifest_.seed, pseudonym, round.number};
    const std::uint32_t j = chosen_coordinate(label, size);
    double place = (answer[j < answer.size() ? j : 0] + 1) / 2;
    if (round.recipe != Recipe::gain) {
      const NumberPair range = number_pair(round, round.pair_count == 1 ? 0 : j);
      const double low = from_q24(range.first), high = from_q24(range.second);
      place = std::clamp((answer[j] - low) / (high - low), 0.0, 1.0);
    }
    std::uint32_t report = 0;
    if (window != nullptr) {
      report = window_report_of(*window, 2 * place - 1, draws_);
    } else {
      const std::uint32_t bins = grr != nullptr ? grr->categories : hash->categories;
      const auto bin = static_cast<std::uint32_t>(std::min(bins - 1.0, std::floor(place * bins)));
      if (grr != nullptr) {
        report = grr_report_of_bin(*grr, bin, draws_);
      } else {
        const GrrSpec hashed{hash->epsilon, std::uint32_t{1} << hash->bits, hash->threshold};
        report = grr_report_of_bin(hashed, walsh_parities(hash->bits, label, bin), draws_);
      }
    }
    out.value().absorb(pseudonym, report);
  }
  return out;
}

Result<RoundAggregate> LawFleet::answer(std::span<const std::uint8_t> bytes) {
  const Result<Round> round = read_round(bytes, "the round");
  if (!round) return round.error();
  if (!has_law(round.value())) {
    return no_law("question", std::string(question_name(round.value().question)) + " by " +
                                  std::string(recipe_name(round.value().recipe)));
  }
  const Result<AnySpec> spec = round_spec(manifest_, round.value());
  if (!spec) return spec.error();
  const AskedRound asked = asked_round(round.value(), manifest_.unit_q15 / 32768.0);
  if (const auto* vote = std::get_if<VoteSpec>(&spec.value())) return votes(asked, *vote);
  if (const auto* signs = std::get_if<BlockSpec>(&spec.value())) return block(asked, *signs);
  if (const auto law = direction_law(spec.value()); law && round.value().question == QuestionKind::direction)
    return direction(asked, *law);
  return scalars(asked, spec.value());
}

}  // namespace sotto::analyzer
