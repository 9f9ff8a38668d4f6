// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "number.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "beyond.hpp"
#include "place_moments.hpp"
#include "quantiles.hpp"
#include "told.hpp"
#include "zoom.hpp"

// A number of unknown scale: zoom, zoom again, check the ends, measure, and cut at the quantiles.
namespace sotto::analyzer {
namespace {

// A setup round asks so many devices, between these shares of all.
constexpr double k_setup_devices = 3000, k_setup_least = 0.05, k_setup_most = 0.1;
constexpr double k_cells = 0.3;  // of the other devices, for quantiles
constexpr std::size_t k_setup_rounds = 3;
constexpr double k_narrow = 0.1;                  // of the stated range: worth a second look
constexpr double k_much_narrower = 0.6;           // the second look counts if it is
constexpr double k_good = 0.25, k_useless = 1;    // half an interval, in standard deviations
constexpr double k_close = 0.01, k_rough = 0.05;  // or of the stated range
constexpr double k_most_beyond = 0.75;            // more devices than this may be elsewhere: the range says nothing

enum class Step : std::uint8_t { zoom, second_zoom, check, window, cells };

double setup_share(const RegressionTerms& terms) {
  return std::clamp(k_setup_devices / static_cast<double>(terms.devices), k_setup_least, k_setup_most);
}

std::size_t setup_rounds(const EverydayTerms& terms) { return terms.number.tight ? 0 : k_setup_rounds; }

/// A side that no check measured may hide every device.
std::vector<Beyond> known(std::vector<Beyond> side, double room) {
  if (side.empty() && room > 0) side.push_back({0, 1, room});
  return side;
}

class NumberProtocol final : public RoundProtocol {
 public:
  NumberProtocol(const RegressionTerms& terms, const Manifest& manifest)
      : RoundProtocol(terms, manifest),
        stated_{number_terms().low, number_terms().high},
        range_(stated_),
        far_(stated_) {
    cohorts_ = setup_rounds(*terms_.everyday) + terms_.everyday->periods + (number_terms().quantiles.empty() ? 0 : 1);
  }

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == cohorts_; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;

  [[nodiscard]] const NumberTerms& number_terms() const { return terms_.everyday->number; }
  [[nodiscard]] Step next_step() const;
  void record_window(const RoundAggregate& aggregate);
  [[nodiscard]] double value_of(double place) const { return range_.low + place * range_.width(); }
  void record_check(const Shares& shares);
  /// How far the stated range reaches beyond the one that was found.
  [[nodiscard]] double room_below() const { return static_cast<double>(range_.low) - stated_.low; }
  [[nodiscard]] double room_above() const { return static_cast<double>(stated_.high) - range_.high; }
  [[nodiscard]] bool is_clipped() const { return range_ != stated_; }
  /// Of the clipped readings.
  [[nodiscard]] EverydayEstimate clipped_mean(const PlaceMoments& of) const;
  [[nodiscard]] EverydayEstimate clipped_spread(const PlaceMoments& of) const;
  void judge(const EverydayEstimate& mean, const EverydayEstimate& clipped, const EverydayEstimate& spread,
             Model& out) const;
  void add_distribution(Model& out) const;

  Range stated_, range_;
  Range far_;  // where an end goes that very many readings lie beyond
  std::size_t cohorts_ = 0;
  Step step_ = Step::zoom;
  AnySpec spec_;
  bool zoomed_ = false, checked_ = false, moved_ = false;  // moved: the last check moved an end
  std::vector<Beyond> below_, above_;                      // at most one each
  WindowSpec window_;
  std::vector<double> outcomes_;
  CellRound cells_;
};

/// What the next cohort is asked. A cohort that is not needed to find the range measures.
Step NumberProtocol::next_step() const {
  if (!number_terms().quantiles.empty() && closed() + 1 == cohorts_) return Step::cells;
  if (closed() >= setup_rounds(*terms_.everyday)) return Step::window;
  if (closed() == 0) return Step::zoom;
  if (!zoomed_) return Step::window;
  if (checked_) return moved_ && is_clipped() ? Step::check : Step::window;  // what lies beyond the new end?
  const bool narrow = range_.width() <= k_narrow * stated_.width();
  return closed() == 1 && narrow ? Step::second_zoom : Step::check;
}

Result<RoundDraft> NumberProtocol::draft() {
  step_ = next_step();
  std::vector<NumberPair> pairs{{range_.low, range_.high}};
  Result<AnySpec> spec = AnySpec{};
  if (step_ == Step::window) {
    spec = window_spec(terms_.epsilon);
  } else if (step_ == Step::check) {
    spec = category_spec(terms_.epsilon, 3);
    pairs = {{range_.low, 0}, {range_.high + 1, 0}};
  } else if (step_ == Step::cells) {
    pairs.clear();
    cells_.cuts.clear();
    for (const double place : places_to_cut(window_, outcomes_, number_terms().quantiles)) {
      const auto cut = static_cast<std::int32_t>(std::floor(value_of(place))) + 1;  // the first beyond it
      if (pairs.empty() || cut > pairs.back().first) pairs.push_back({cut, 0});
    }
    // Quantiles of an almost constant number may fall together: a cut above them keeps the list of cells.
    while (pairs.size() < std::max<std::size_t>(2, number_terms().quantiles.size()))
      pairs.push_back({pairs.back().first + 1, 0});
    for (const NumberPair& pair : pairs) cells_.cuts.push_back((pair.first - 1 - range_.low) / range_.width());
    GrrSpec grr{terms_.epsilon, static_cast<std::uint32_t>(pairs.size() + 1), 0};
    if (derive(grr) != Status::ok) return category_spec(terms_.epsilon, grr.categories).error();
    cells_.spec = grr;
    spec = AnySpec{grr};
  } else {
    const double devices = setup_share(terms_) * static_cast<double>(terms_.devices);
    spec = category_spec(terms_.epsilon, zoom_bins(terms_.epsilon, devices));
  }
  if (!spec) return spec.error();
  spec_ = spec.value();
  return number_draft(terms_, spec_, number(), cohort(), std::move(pairs));
}

void NumberProtocol::record_window(const RoundAggregate& aggregate) {
  const Sums& sums = aggregate.window().sums();
  window_ = aggregate.window().spec();
  std::vector<double> outcomes(sums.values().begin(), sums.values().end());
  if (outcomes_.empty()) outcomes_.resize(outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes_[i] += outcomes[i];
  if (terms_.everyday->periods == 1 || closed() < setup_rounds(*terms_.everyday)) return;
  EverydayEstimate mean = clipped_mean(place_moments(window_, outcomes));
  mean.name = fmt::format("{} {}", terms_.everyday->every, closed() + 1 - setup_rounds(*terms_.everyday));
  model_.everyday.series.push_back(std::move(mean));
}

Result<Done> NumberProtocol::record(const RoundAggregate& aggregate) {
  constexpr const char* k_names[] = {"zoom", "second-zoom", "check", "window", "cells"};
  RoundRecord kept{number(), "number", k_names[static_cast<std::size_t>(step_)], 1, 0, aggregate.used(), 0};
  if (step_ == Step::window) {
    kept.noise = aggregate.window().close().noise_error;
    record_window(aggregate);
  } else {
    const CategoryCounts counts = aggregate.categories();
    const Shares shares = shares_of(counts);
    kept.noise = shares.noise;
    kept.candidates = static_cast<std::uint32_t>(shares.share.size());
    if (step_ == Step::zoom || step_ == Step::second_zoom) {
      const std::optional<Range> found = zoomed(range_, shares);
      if (step_ == Step::zoom) zoomed_ = found.has_value();
      const bool is_second = step_ == Step::second_zoom;
      if (found && (!is_second || found->width() < k_much_narrower * range_.width())) {
        if (is_second) far_ = grown(range_, stated_);
        range_ = *found;
      }
    } else if (step_ == Step::check) {
      record_check(shares);
    } else {
      const double hit = std::ldexp(static_cast<double>(cells_.spec.threshold), -32);
      const double other = (1 - hit) / (cells_.spec.categories - 1.0), n = static_cast<double>(counts.used);
      cells_.reports.clear();
      for (const double count : counts.count) cells_.reports.push_back(count * (hit - other) + n * other);
    }
  }
  model_.rounds.push_back(std::move(kept));
  return Done{};
}

void NumberProtocol::record_check(const Shares& shares) {
  const Range before = range_;
  range_ = widened(before, far_, stated_, shares);
  checked_ = true;
  moved_ = range_ != before;
  const auto beyond = [&](std::size_t side, std::int64_t distance, bool has_moved) {
    if (distance == 0) return std::vector<Beyond>{};
    Beyond of = beyond_of(spec_, shares, side, static_cast<double>(distance));
    if (has_moved) of.share = 0;  // beyond the new end there are at most as many as beyond the old one
    return std::vector<Beyond>{of};
  };
  below_ = beyond(0, std::int64_t{range_.low} - stated_.low, range_.low != before.low);
  above_ = beyond(2, std::int64_t{stated_.high} - range_.high, range_.high != before.high);
}

EverydayEstimate NumberProtocol::clipped_mean(const PlaceMoments& of) const {
  const double mean = value_of(of.mean), half = k_two_sided * of.mean_error * range_.width();
  return {is_clipped() ? "clipped mean" : "mean", terms_.everyday->unit, mean, mean - half, mean + half};
}

EverydayEstimate NumberProtocol::clipped_spread(const PlaceMoments& of) const {
  const double square = of.variance * range_.width() * range_.width();
  const double margin = k_two_sided * of.variance_error * range_.width() * range_.width();
  const auto root = [](double x) { return std::sqrt(std::max(0.0, x)); };
  return {is_clipped() ? "clipped standard deviation" : "standard deviation", terms_.everyday->unit, root(square),
          root(square - margin), root(square + margin)};
}

/// Learned is what the mean of all readings is, with what may lie beyond; nothing can be learned where the clipped
/// readings tell nothing either.
void NumberProtocol::judge(const EverydayEstimate& mean, const EverydayEstimate& clipped,
                           const EverydayEstimate& spread, Model& out) const {
  const std::string unit = mean.unit.empty() ? "" : " " + mean.unit;
  const auto within = [&](const EverydayEstimate& of, double of_spread, double of_range) {
    const double half = (of.high - of.low) / 2;
    return half <= of_range * stated_.width() || (spread.low > 0 && half <= of_spread * spread.value);
  };
  const double half = (clipped.high - clipped.low) / 2;
  if (!within(clipped, k_useless, k_rough) || most_beyond({below_, above_}) > k_most_beyond) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = fmt::format(
        "so few devices at this epsilon tell the mean only to {}{}, and the range that the study states says as "
        "much; state a narrower range, or ask more devices",
        told(half, half), unit);
    return;
  }
  out.verdict = within(mean, k_good, k_close) ? Verdict::learned : Verdict::uncertain;
  const double width = mean.high - mean.low;
  out.why_verdict = fmt::format("the mean is {}{}, {} to {}", told(mean.value, width), unit, told(mean.low, width),
                                told(mean.high, width));
  if (within(clipped, k_good, k_close) && out.verdict == Verdict::uncertain)
    out.why_verdict = fmt::format(
        "the mean of readings clipped to {} .. {} is {}{}, give or take {}; but up to {:.2g} % of devices may "
        "lie beyond, anywhere in the stated range, and the mean of all readings from {} to {}. Nearer ends of "
        "the range, or more devices, tell it better",
        range_.low, range_.high, told(clipped.value, half), unit, told(half, half), 100 * most_beyond({below_, above_}),
        told(mean.low, width), told(mean.high, width));
  else if (out.verdict == Verdict::uncertain)
    out.why_verdict += ": much of the readings' own spread; more devices tell it better";
}

void NumberProtocol::add_distribution(Model& out) const {
  const Distribution fit(window_, outcomes_, cells_);
  const std::vector<Banded> bins = fit.bins(number_terms().bins);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto at = [&](std::size_t k) { return value_of(static_cast<double>(k) / static_cast<double>(bins.size())); };
    out.everyday.cells.push_back({"", at(i), at(i + 1), bins[i].value, bins[i].low, bins[i].high});
  }
  if (cells_.reports.empty()) return;
  for (std::size_t i = 0; i < number_terms().quantiles.size(); ++i) {
    const double share = number_terms().quantiles[i];
    const Banded place = fit.quantile(share, i);
    // A quantile that so many devices beyond the range cannot move there is within it.
    const Range within = {most_beyond({known(below_, room_below())}) < share ? range_.low : stated_.low,
                          most_beyond({known(above_, room_above())}) < 1 - share ? range_.high : stated_.high};
    const auto held = [&](double at) { return std::clamp<double>(value_of(at), within.low, within.high); };
    out.everyday.estimates.push_back({fmt::format("p{:g}", 100 * share), terms_.everyday->unit, value_of(place.value),
                                      held(place.low), held(place.high)});
  }
}

Model NumberProtocol::model() const {
  Model out = model_;
  out.everyday.kind = "number";
  if (outcomes_.empty()) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = "no device has answered";
    return out;
  }
  const std::string unit = terms_.everyday->unit.empty() ? "" : " " + terms_.everyday->unit;
  out.everyday.what = range_ == stated_ ? fmt::format("readings from {} to {}{}", range_.low, range_.high, unit)
                                        : fmt::format("readings clipped to {} to {}{}", range_.low, range_.high, unit);
  const PlaceMoments of = place_moments(window_, outcomes_);
  const EverydayEstimate clipped = clipped_mean(of), spread = clipped_spread(of),
                         mean = mean_of_all(clipped, known(below_, room_below()), known(above_, room_above()));
  out.everyday.estimates = {mean, clipped, spread};
  if (!is_clipped()) out.everyday.estimates.erase(out.everyday.estimates.begin() + 1);  // the same number twice
  out.everyday.clip_low = range_.low;
  out.everyday.clip_high = range_.high;
  out.everyday.clipped = share_beyond({below_, above_});
  out.everyday.clipped_error = (most_beyond({below_, above_}) - out.everyday.clipped) / k_two_sided;
  judge(mean, clipped, spread, out);
  if (out.verdict != Verdict::cannot_learn) add_distribution(out);
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_number(RegressionTerms& terms) {
  const EverydayTerms& everyday = *terms.everyday;
  const bool has_quantiles = !everyday.number.quantiles.empty();
  if (has_quantiles && everyday.periods > 1)
    return Error{"protocol.no_schedule", "quantiles are asked once, and a schedule asks for the mean again and again",
                 "", "leave quantiles or [schedule] out"};
  const std::size_t setup = setup_rounds(everyday);
  if (setup + everyday.periods > k_cohorts_max)
    return Error{"protocol.too_many_cohorts",
                 fmt::format("a manifest has {} cohorts, of which {} look for the range", k_cohorts_max, setup),
                 fmt::format("{} periods", everyday.periods), fmt::format("ask at most {}", k_cohorts_max - setup)};
  std::vector<double> shares(setup, setup_share(terms));
  const double left = 1 - setup_share(terms) * static_cast<double>(setup);
  const std::vector<double> windows = period_shares(everyday, left * (has_quantiles ? 1 - k_cells : 1));
  shares.insert(shares.end(), windows.begin(), windows.end());
  if (has_quantiles) shares.push_back(left * k_cells);
  Result<AnySpec> first =
      everyday.number.tight
          ? window_spec(terms.epsilon)
          : category_spec(terms.epsilon, zoom_bins(terms.epsilon, shares.front() * static_cast<double>(terms.devices)));
  if (!first) return first.error();
  return number_plan(shares, std::move(first).value(),
                     everyday.number.tight ? "the study says that its range is tight: all devices measure"
                                           : "some devices find where the readings are, the others measure there");
}

std::unique_ptr<Protocol> start_number(const RegressionTerms& terms, const Manifest& manifest) {
  return std::make_unique<NumberProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
