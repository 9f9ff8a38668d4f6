// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "../rounds/last_cohort.hpp"
#include "between.hpp"
#include "evidence.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/propose/window.hpp"
#include "sotto/analyzer/protocol/between/plan.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {
namespace {

// Products are clipped to so many of their usual lengths. Noise grows with it, what is left of an effect hardly; the last
// cohort keeps more, because its effects are stated.
constexpr double k_screen_clip = 0.5, k_confirm_clip = 0.7;
// The gain of one device's level, in products of the deviations of level and fit.
constexpr double k_gain_clip = 5;

class BetweenStage final : public Protocol {
 public:
  BetweenStage(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms, const Manifest& manifest,
               BetweenPlan plan, std::size_t first_cohort)
      : protocol_(std::move(protocol)),
        terms_(terms),
        plan_(std::move(plan)),
        study_(manifest_digest(manifest)),
        first_cohort_(first_cohort),
        columns_(terms.between->features) {
    const double one[] = {1};
    turn_ = rotate(manifest.seed, one).front();
  }

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] const BetweenCohort& cohort() const { return plan_.cohorts[step_]; }
  [[nodiscard]] Result<RoundDraft> draft();
  [[nodiscard]] Result<RoundDraft> draft_level() const;
  [[nodiscard]] Result<RoundDraft> draft_vector();
  [[nodiscard]] Result<RoundDraft> draft_gain();
  void record(const RoundAggregate& aggregate);
  void read_gain(const RoundAggregate& aggregate);
  void conclude();

  std::unique_ptr<Protocol> protocol_;
  RegressionTerms terms_;
  BetweenPlan plan_;
  Digest study_;
  std::size_t first_cohort_, step_ = 0;
  std::vector<std::uint32_t> columns_;  // that are still asked about
  double turn_ = 1;                     // the public sign of an answer that is one number
  std::uint16_t closed_ = 0;
  bool is_begun_ = false, is_open_ = false;
  std::optional<LevelEvidence> evidence_;
  LevelAsk ask_;
  AnySpec spec_;
  double bound_ = 1;
  Model found_;  // the coefficients of the stage, and what was measured of them
  std::vector<RoundRecord> records_;
};

Result<std::optional<std::vector<std::uint8_t>>> BetweenStage::open() {
  using Round = std::optional<std::vector<std::uint8_t>>;
  if (!is_begun_) {
    Result<Round> next = protocol_->open();
    if (!next || next.value()) return next;
  }
  is_begun_ = true;
  const bool is_over = step_ == plan_.cohorts.size();
  if (is_over || (cohort().step == BetweenStep::validate && found_.coefficients.empty())) return Round{};
  Result<RoundDraft> made = draft();
  if (!made) return made.error();
  RoundDraft& round = made.value();
  spec_ = round.spec;
  round.number = static_cast<std::uint16_t>(closed_ + 1);
  round.cohort = static_cast<std::uint8_t>(first_cohort_ + step_);
  Result<std::vector<std::uint8_t>> bytes = write_round(round, study_, terms_.rounds.of(round.number));
  if (!bytes) return bytes.error();
  is_open_ = true;
  return Round(std::move(bytes).value());
}

Result<RoundDraft> BetweenStage::draft() {
  switch (cohort().step) {
    case BetweenStep::level: return draft_level();
    case BetweenStep::validate: return draft_gain();
    default: return draft_vector();
  }
}

/// The cell of the target's level.
Result<RoundDraft> BetweenStage::draft_level() const {
  const Result<VoteProposal> vote = propose_vote(terms_.epsilon, k_level_cells - 1);
  if (!vote) return vote.error();
  RoundDraft out;
  out.question = QuestionKind::bin;
  out.recipe = Recipe::levels;
  if (vote.value().spec.bits == 0)
    out.spec = as_grr(vote.value().spec);
  else
    out.spec = as_walsh_hash(vote.value().spec);
  out.parameter[recipe::levels::measure] = k_level_target;
  const std::int32_t end = to_q24(k_level_range * terms_.unit());
  out.pairs = {{-end, end}};
  return out;
}

/// Products of level and columns, or the columns alone.
Result<RoundDraft> BetweenStage::draft_vector() {
  const bool is_columns = cohort().step == BetweenStep::columns, is_screen = cohort().step == BetweenStep::screen;
  const double unit = terms_.unit();
  ask_ = is_columns ? evidence_->ask_columns(columns_)
                    : evidence_->ask_products(columns_, is_screen ? k_screen_clip : k_confirm_clip);
  const auto size = static_cast<std::uint32_t>(columns_.size() + (is_columns ? 0 : 1));
  const Result<AnySpec> spec = best_direction(terms_.epsilon, size + 1);
  if (!spec) return spec.error();
  RoundDraft out;
  out.question = QuestionKind::direction;
  out.recipe = Recipe::levels;
  out.spec = spec.value();
  out.model = ask_.centres;
  for (Entry& entry : out.model) entry.value *= unit;
  out.parameter[recipe::levels::radius] = positive_q24(ask_.radius * (is_columns ? unit : unit * unit));
  out.parameter[recipe::levels::measure] = is_columns ? k_level_columns : k_level_products;
  if (!is_columns) out.parameter[recipe::levels::target_centre] = static_cast<std::uint32_t>(to_q24(ask_.level * unit));
  return out;
}

/// How much nearer to a device's level the model is than the mean of all levels.
Result<RoundDraft> BetweenStage::draft_gain() {
  const Result<WindowProposal> window = propose_window(terms_.epsilon);
  if (!window) return window.error();
  const double unit = terms_.unit();
  RoundDraft out;
  out.question = QuestionKind::value;
  out.recipe = Recipe::levels;
  out.spec = window.value().spec;
  double square = 0, centre = 0;
  for (const Coefficient& c : found_.coefficients) {
    out.model.push_back({c.feature, c.estimate});
    square += c.estimate * c.estimate;
    centre += c.estimate * evidence_->centre(c.feature).value;
  }
  std::ranges::sort(out.model, {}, &Entry::feature);
  bound_ = k_gain_clip * std::sqrt(square) * evidence_->spread();
  const auto end = static_cast<std::int32_t>(positive_q24(bound_ * unit * unit));
  out.pairs = {{-end, end}};
  out.parameter[recipe::levels::measure] = k_level_better;
  out.parameter[recipe::levels::target_centre] = static_cast<std::uint32_t>(to_q24(evidence_->level().value * unit));
  out.parameter[recipe::levels::fit_centre] = static_cast<std::uint32_t>(to_q24(centre * unit));
  return out;
}

Result<Done> BetweenStage::close(const RoundAggregate& aggregate) {
  if (!is_open_) {
    Result<Done> closed = protocol_->close(aggregate);
    if (closed) ++closed_;
    return closed;
  }
  const std::uint64_t least = std::max<std::uint64_t>(2, terms_.minimum);
  if (aggregate.used() < least) {
    return Error{"protocol.too_few",
                 fmt::format("round {}, of the stage [between], has too few reports to close", closed_ + 1),
                 fmt::format("{} used, {} needed", aggregate.used(), least), "collect more, or lower study.minimum"};
  }
  record(aggregate);
  ++closed_;
  ++step_;
  is_open_ = false;
  return Done{};
}

void BetweenStage::record(const RoundAggregate& aggregate) {
  RoundRecord said{static_cast<std::uint16_t>(closed_ + 1),
                   "direction",
                   std::string(recipe_name(Recipe::levels)),
                   cohort().candidates,
                   ask_.radius,
                   aggregate.used(),
                   0};
  switch (cohort().step) {
    case BetweenStep::level: {
      CategoryCounts counts = aggregate.coordinates().counts().front();
      if (turn_ < 0) {
        std::ranges::reverse(counts.count);
        std::ranges::reverse(counts.standard_error);
      }
      evidence_.emplace(fit_levels(counts));
      said.question = "bin";
      said.radius = k_level_range;
      said.noise = evidence_->level().error;
      break;
    }
    case BetweenStep::columns: {
      const VectorMean answer = aggregate.direction();
      evidence_->add_columns(ask_, answer);
      said.noise = ask_.radius * answer.noise_error.front();
      break;
    }
    case BetweenStep::screen:
    case BetweenStep::confirm: {
      const VectorMean answer = aggregate.direction();
      evidence_->add_products(ask_, answer);
      said.noise = ask_.radius * answer.noise_error.front();
      if (cohort().step == BetweenStep::confirm) {
        conclude();
      } else {
        columns_ = evidence_->strongest(columns_, plan_.cohorts[step_ + 1].candidates);
      }
      break;
    }
    case BetweenStep::validate:
      read_gain(aggregate);
      said.question = "value";
      said.candidates = static_cast<std::uint32_t>(found_.coefficients.size());
      said.radius = bound_;
      break;
  }
  records_.push_back(std::move(said));
}

/// The columns that Holm's procedure confirms over all columns of the stage. Those that were dropped count as not
/// confirmed, so that screening and confirming cohorts may be added up.
void BetweenStage::conclude() {
  const double slab = std::pow(plan_.effect * evidence_->spread(), 2);
  for (const std::uint32_t column : columns_) {
    const LevelEffect effect = evidence_->effect_of(column);
    Coefficient c;
    c.feature = column;
    c.last_cohort = effect.all.value;
    c.standard_error = effect.all.error;
    put_interval(static_cast<double>(effect.all.reports) - 1, c);
    const double p_value = c.p_value, variance = effect.all.error * effect.all.error;
    c.estimate = effect.all.value * slab / (slab + variance);
    c.last_cohort = effect.last.value;
    c.standard_error = effect.last.error;
    put_interval(static_cast<double>(effect.last.reports) - 1, c);
    c.p_value = p_value;
    found_.coefficients.push_back(c);
  }
  confirm(found_, terms_.between->features.size());
  std::erase_if(found_.coefficients, [](const Coefficient& c) { return !c.found; });
  keep_support(found_);
}

void BetweenStage::read_gain(const RoundAggregate& aggregate) {
  const ScalarMean mean = aggregate.coordinates().means().front();
  const Result<ScalarLaw> law = ScalarLaw::of(spec_);
  // A small cohort may look calmer than the channel's law.
  const double of_law =
      law ? law.value().variance(std::clamp(mean.mean, -1.0, 1.0)) / static_cast<double>(mean.used) : 0;
  const double error = std::sqrt(std::max(mean.standard_error * mean.standard_error, of_law));
  const double variance = evidence_->spread() * evidence_->spread();
  found_.validation = number_gain_of_all({turn_ * bound_ * mean.mean, bound_ * error, mean.used},
                                         {variance, 2 * variance * evidence_->log_spread().error, 0});
  found_.validation.bound = bound_;
}

Model BetweenStage::model() const {
  Model out = protocol_->model();
  out.rounds.insert(out.rounds.end(), records_.begin(), records_.end());
  Between& between = out.between;
  between.columns = static_cast<std::uint32_t>(terms_.between->features.size());
  between.strength = plan_.strength;
  Model stage = found_;
  stage.why_verdict = fmt::format("{} of {} columns found; one of the assumed size would stand out by {:.1f} errors",
                                  found_.coefficients.size(), between.columns, plan_.strength);
  if (evidence_) {
    between.level = evidence_->level().value;
    between.spread = evidence_->spread();
  }
  judge(records_.empty() ? "nobody was asked yet" : "the devices that measure have not answered yet", stage);
  between.verdict = stage.verdict;
  between.why_verdict = stage.why_verdict;
  between.validation = stage.validation;
  between.coefficients = stage.coefficients;
  for (const Coefficient& c : between.coefficients) between.centres.push_back(evidence_->centre(c.feature).value);
  return out;
}

}  // namespace

std::unique_ptr<Protocol> with_between(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                       const Manifest& manifest, std::size_t first_cohort) {
  // The plan was accepted when the study was read.
  Result<BetweenPlan> plan = plan_between(terms);
  if (!plan) return protocol;
  return std::make_unique<BetweenStage>(std::move(protocol), terms, manifest, std::move(plan).value(), first_cohort);
}

}  // namespace sotto::analyzer
