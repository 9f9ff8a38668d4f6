// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "beyond.hpp"
#include "number.hpp"
#include "place_moments.hpp"
#include "sotto/analyzer/aggregate/window_law.hpp"
#include "told.hpp"

// A count: a fifth of the devices say in which bucket theirs is, from which the clip with the least error follows; the
// others say their clipped count.
namespace sotto::analyzer {
namespace {

constexpr double k_bucket_share = 0.2;
constexpr double k_told_apart = 2;     // standard errors above which a bucket counts as held
constexpr double k_far_apart = 3.2;    // the same behind a bucket that is not, so that noise far out does not count
constexpr double k_good_share = 0.25;  // half an interval over the mean, up to which it is learned

/// The buckets' lower ends: 0, 1, 3, 9, 33, 129, ... up to the largest count that the study takes. Narrower ones would
/// hold so few devices each that noise hides the tail.
std::vector<std::int32_t> bucket_starts(std::int32_t high) {
  std::vector<std::int32_t> out{0, 1};
  for (std::int64_t start = 3; start <= high; start = start == 3 ? 9 : 4 * start - 3)
    out.push_back(static_cast<std::int32_t>(start));
  return out;
}

/// About the mean count of a bucket whose counts fall off.
double middle_of(std::int32_t start, std::int32_t high) {
  return std::min<double>(high, start <= 1 ? 1.4 * start : 1.55 * start);
}

class CountProtocol final : public RoundProtocol {
 public:
  CountProtocol(const RegressionTerms& terms, const Manifest& manifest)
      : RoundProtocol(terms, manifest), starts_(bucket_starts(terms_.everyday->number.high)) {}

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == 1u + terms_.everyday->periods; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  void choose_clip(const Shares& buckets);
  void find_beyond(const Shares& buckets);
  [[nodiscard]] EverydayEstimate clipped_mean(const std::vector<double>& outcomes, std::string name) const;

  std::vector<std::int32_t> starts_;
  std::int32_t clip_ = 1;
  std::vector<Beyond> above_;  // the buckets that hold counts above the clip
  double outside_ = 0;         // share of those that hold nothing else
  AnySpec spec_;
  std::vector<double> outcomes_;  // of the window, or of the one bit
};

Result<RoundDraft> CountProtocol::draft() {
  const bool first = closed() == 0;
  const auto buckets = static_cast<std::uint32_t>(starts_.size());
  const Result<AnySpec> spec = first        ? category_spec(terms_.epsilon, buckets)
                               : clip_ == 1 ? category_spec(terms_.epsilon, 2)
                                            : window_spec(terms_.epsilon);
  if (!spec) return spec.error();
  spec_ = spec.value();
  std::vector<NumberPair> pairs;
  if (first) {
    for (const std::int32_t start : std::span(starts_).subspan(1)) pairs.push_back({start, 0});
  } else {
    pairs = {{0, clip_}};
  }
  if (pairs.size() == 1 && first) pairs = {{0, 1}};  // counts of 0 and 1 alone: one bit
  return number_draft(terms_, spec_, number(), cohort(), std::move(pairs));
}

void CountProtocol::choose_clip(const Shares& buckets) {
  const std::int32_t high = terms_.everyday->number.high;
  const double n = (1 - k_bucket_share) * static_cast<double>(terms_.devices) / terms_.everyday->periods;
  const Result<AnySpec> window = window_spec(terms_.epsilon);
  const double place = window ? std::sqrt(WindowLaw(std::get<WindowSpec>(window.value())).variance(-1)) / 2 : 1;
  const double bit = std::sqrt(category_variance(terms_.epsilon, 2));
  double best = INFINITY;
  for (std::int64_t clip = 1; clip < 2 * std::int64_t{high}; clip *= 2) {
    const double at = std::min<double>(static_cast<double>(clip), high);
    const double noise = (clip == 1 ? bit : place * at) / std::sqrt(n);
    double lost = 0;
    bool is_held = true;  // whether the bucket before is
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      is_held = buckets.share[i] > (is_held ? k_told_apart : k_far_apart) * buckets.noise;
      if (is_held) lost += buckets.share[i] * std::max(0.0, middle_of(starts_[i], high) - at);
    }
    if (noise * noise + lost * lost >= best) continue;
    best = noise * noise + lost * lost;
    clip_ = static_cast<std::int32_t>(at);
  }
}

void CountProtocol::find_beyond(const Shares& buckets) {
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::int32_t last = i + 1 < starts_.size() ? starts_[i + 1] - 1 : terms_.everyday->number.high;
    if (last <= clip_) continue;
    above_.push_back(beyond_of(spec_, buckets, i, static_cast<double>(last) - clip_));
    if (starts_[i] > clip_) outside_ += above_.back().share;
  }
}

EverydayEstimate CountProtocol::clipped_mean(const std::vector<double>& outcomes, std::string name) const {
  double mean = 0, error = 0;
  if (const auto* const window = std::get_if<WindowSpec>(&spec_)) {
    const PlaceMoments of = place_moments(*window, outcomes);
    mean = of.mean * clip_;
    error = of.mean_error * clip_;
  } else {
    const double hit = std::ldexp(static_cast<double>(std::get<GrrSpec>(spec_).threshold), -32);
    const double n = outcomes[0] + outcomes[1], yes = outcomes[1] / n;
    mean = (yes - (1 - hit)) / (2 * hit - 1);
    error = std::sqrt(yes * (1 - yes) / n) / (2 * hit - 1);
  }
  const double half = k_two_sided * error;
  return {std::move(name), terms_.everyday->unit, mean, mean - half, mean + half};
}

Result<Done> CountProtocol::record(const RoundAggregate& aggregate) {
  if (closed() == 0) {
    const Shares buckets = shares_of(aggregate.categories());
    choose_clip(buckets);
    find_beyond(buckets);
    model_.rounds.push_back({number(), "number", "buckets", static_cast<std::uint32_t>(starts_.size()), 0,
                             aggregate.used(), buckets.noise});
    return Done{};
  }
  std::vector<double> outcomes;
  if (std::holds_alternative<WindowSpec>(spec_)) {
    const Sums& sums = aggregate.window().sums();
    outcomes.assign(sums.values().begin(), sums.values().end());
  } else {
    const CategoryCounts counts = aggregate.categories();
    const double hit = std::ldexp(static_cast<double>(std::get<GrrSpec>(spec_).threshold), -32);
    for (const double count : counts.count)
      outcomes.push_back(count * (2 * hit - 1) + static_cast<double>(counts.used) * (1 - hit));
  }
  if (outcomes_.empty()) outcomes_.resize(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes_[i] += outcomes[i];
  if (terms_.everyday->periods > 1)
    model_.everyday.series.push_back(clipped_mean(outcomes, fmt::format("{} {}", terms_.everyday->every, closed())));
  model_.rounds.push_back(
      {number(), "number", clip_ == 1 ? "event" : "window", 1, static_cast<double>(clip_), aggregate.used(), 0});
  return Done{};
}

Model CountProtocol::model() const {
  Model out = model_;
  out.everyday.kind = "count";
  if (outcomes_.empty()) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = "no device has answered";
    return out;
  }
  out.everyday.what = fmt::format("counts of a device, clipped to {}", clip_);
  const EverydayEstimate clipped = clipped_mean(outcomes_, "clipped mean"), mean = mean_of_all(clipped, {}, above_);
  const double half = (clipped.high - clipped.low) / 2;
  out.verdict = clipped.low <= 0                                          ? Verdict::cannot_learn
                : (mean.high - mean.low) / 2 <= k_good_share * mean.value ? Verdict::learned
                                                                          : Verdict::uncertain;
  if (out.verdict == Verdict::cannot_learn)
    out.why_verdict = fmt::format(
        "{}, give or take {}: so rare a count is not told from none; ask whether it happened (kind = "
        "\"event\"), or more devices",
        told(clipped.value, half), told(half, half));
  else if (above_.empty())
    out.why_verdict = fmt::format("{} a device, give or take {}", told(mean.value, half), told(half, half));
  else
    out.why_verdict = fmt::format(
        "the mean of counts clipped to {} is {} a device, give or take {}; up to {:.2g} % of devices may have "
        "counted more, at most {}, and the mean of all counts is from {} to {}",
        clip_, told(clipped.value, half), told(half, half), 100 * most_beyond({above_}), terms_.everyday->number.high,
        told(mean.low, half), told(mean.high, half));
  out.everyday.estimates = {mean};
  if (!above_.empty()) out.everyday.estimates.push_back(clipped);
  out.everyday.clip_low = 0;
  out.everyday.clip_high = clip_;
  out.everyday.clipped = outside_;
  out.everyday.clipped_error = (most_beyond({above_}) - outside_) / k_two_sided;
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_count(RegressionTerms& terms) {
  const EverydayTerms& everyday = *terms.everyday;
  if (everyday.periods + 1 > k_cohorts_max)
    return Error{"protocol.too_many_cohorts",
                 fmt::format("a manifest has {} cohorts, of which one looks for the clip", k_cohorts_max),
                 fmt::format("{} periods", everyday.periods), fmt::format("ask at most {}", k_cohorts_max - 1)};
  const auto buckets = static_cast<std::uint32_t>(bucket_starts(everyday.number.high).size());
  Result<AnySpec> first = category_spec(terms.epsilon, buckets);
  if (!first) return first.error();
  std::vector<double> shares{k_bucket_share};
  const std::vector<double> periods = period_shares(everyday, 1 - k_bucket_share);
  shares.insert(shares.end(), periods.begin(), periods.end());
  return number_plan(shares, std::move(first).value(),
                     "a fifth of the devices find where to clip, the others say their clipped count");
}

std::unique_ptr<Protocol> start_count(const RegressionTerms& terms, const Manifest& manifest) {
  return std::make_unique<CountProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
