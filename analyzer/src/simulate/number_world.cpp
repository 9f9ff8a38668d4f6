// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "number_law.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"

// Fleets of number, count and event.
namespace sotto::analyzer {
namespace {

constexpr std::int32_t k_simulated_range = 60000;  // of a simulated number
constexpr double k_room_sd = 2;                    // a law's mean stays this far from the ends, if there is room
constexpr std::uint64_t k_place_stream = ~std::uint64_t{0};
constexpr double k_count_room = 50;    // the largest count that a study states, in means: generous
constexpr double k_steps_min = 10000;  // of a column's range, by powers of ten

std::pair<double, double> ends_of(const NumberColumn& column) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const std::vector<double>& held : column.readings) {
    for (const double reading : held) {
      least = std::min(least, reading);
      most = std::max(most, reading);
    }
  }
  return {least, most};
}

/// Readings beyond what an integer of a device holds are the largest that it does.
std::int32_t whole(double value) {
  constexpr double k_most = 2147483646;
  return static_cast<std::int32_t>(std::clamp(value, -k_most, k_most));
}

class NumberWorld final : public EverydayWorld {
 public:
  NumberWorld(const EverydayOptions& options, NumberLaw law) : options_(options), law_(law) {
    if (options.column != nullptr)
      place_column();
    else if (options.kind == "number")
      place_law();
    else
      high_ =
          options.kind == "count" ? static_cast<std::int32_t>(std::clamp(k_count_room * options.mean, 16.0, 1e9)) : 1;
    find_truth();
  }

  [[nodiscard]] std::uint64_t devices() const noexcept override {
    return options_.column != nullptr ? options_.column->readings.size() : options_.devices;
  }
  void read(std::uint64_t device, DeviceRows& out) const override;
  [[nodiscard]] std::string study() const override;
  [[nodiscard]] NamedErrors measure(const Everyday& estimated) const override;
  [[nodiscard]] std::vector<double> truths(const Everyday& estimated) const override {
    std::vector<double> out;
    for (const EverydayEstimate& of : estimated.estimates) out.push_back(truth_of(of, estimated));
    return out;
  }

 private:
  void place_law();
  void place_column();
  void find_truth();
  [[nodiscard]] double rank_error(double value, double rank) const;
  [[nodiscard]] double truth_of(const EverydayEstimate& estimate, const Everyday& of) const;

  EverydayOptions options_;
  NumberLaw law_;
  std::int32_t low_ = 0, high_ = k_simulated_range;
  double centre_ = 0, sd_ = 1;        // of the law
  double steps_ = 1;                  // of a device's integers in one unit of a column
  std::vector<std::int32_t> sorted_;  // what the devices would say, clipped to the stated range
  double mean_ = 0, spread_ = 0;      // of these
};

void NumberWorld::place_law() {
  sd_ = k_simulated_range / options_.range_sd;
  Xoshiro random(options_.seed, k_place_stream);
  const double room = std::max(0.0, k_simulated_range - 2 * k_room_sd * sd_);
  centre_ = (k_simulated_range - room) / 2 + room * random.unit();
}

void NumberWorld::place_column() {
  const auto [least, most] = ends_of(*options_.column);
  // What is counted is whole already.
  if (options_.kind == "number") steps_ = steps_of(*options_.column, options_.low, options_.high);
  low_ = whole(std::floor(options_.low.value_or(least) * steps_));
  high_ = std::max(low_ + 1, whole(std::ceil(options_.high.value_or(most) * steps_)));
}

void NumberWorld::read(std::uint64_t device, DeviceRows& out) const {
  out.rows = 0;
  out.readings.clear();
  if (is_empty(options_, device)) return;
  if (options_.column != nullptr) {
    for (const double reading : options_.column->readings[device])
      out.readings.push_back(whole(std::round(reading * steps_)));
    return;
  }
  Xoshiro random(options_.seed, device);
  if (options_.kind == "count" || options_.kind == "event") {
    // As many readings as the event happened, where that is not too often for an array.
    const std::int32_t count = options_.kind == "count"         ? draw_count(options_.mean, random)
                               : random.unit() < options_.share ? 1
                                                                : 0;
    out.readings.push_back(count);
    return;
  }
  for (std::uint32_t i = 0; i < options_.samples; ++i)
    out.readings.push_back(static_cast<std::int32_t>(std::lround(centre_ + sd_ * draw(law_, random))));
}

void NumberWorld::find_truth() {
  DeviceRows rows;
  for (std::uint64_t i = 0; i < devices(); ++i) {
    read(i, rows);
    const double sum = std::accumulate(rows.readings.begin(), rows.readings.end(), 0.0);
    const auto answer = rows.readings.empty() ? low_ : std::lround(sum / static_cast<double>(rows.readings.size()));
    sorted_.push_back(static_cast<std::int32_t>(std::clamp<long>(answer, low_, high_)));
    mean_ += sorted_.back();
  }
  std::ranges::sort(sorted_);
  mean_ /= static_cast<double>(sorted_.size());
  for (const std::int32_t value : sorted_) spread_ += (value - mean_) * (value - mean_);
  spread_ = std::sqrt(spread_ / static_cast<double>(sorted_.size()));
}

std::string NumberWorld::study() const {
  std::string text = fmt::format(
      "# A simulated fleet.\nname = \"simulated-{0}\"\n\n[privacy]\nepsilon = {1}\n\n[study]\nminimum = 1\nsamples = "
      "{2}\n\n[question]\nkind = \"{0}\"\ndevices = {3}\nsource = \"truth\"\n",
      options_.kind, options_.epsilon, std::clamp<std::uint32_t>(options_.samples, 1, 1024), devices());
  if (options_.kind == "number") {
    text += fmt::format("low = {}\nhigh = {}\ntake = \"mean\"\nbins = {}\n", low_, high_, options_.bins);
    if (!options_.quantiles.empty()) text += fmt::format("quantiles = [{}]\n", fmt::join(options_.quantiles, ", "));
    if (options_.tight) text += "tight = true\n";
    if (steps_ != 1) text += fmt::format("unit = \"{:g} {}\"\n", 1 / steps_, options_.column->name);
  } else {
    text += options_.kind == "count" ? fmt::format("high = {}\ntake = \"last\"\n", high_) : "take = \"last\"\n";
  }
  if (options_.periods > 1) text += fmt::format("\n[schedule]\nevery = \"week\"\nperiods = {}\n", options_.periods);
  return text;
}

double NumberWorld::rank_error(double value, double rank) const {
  const auto n = static_cast<double>(sorted_.size());
  const double below = static_cast<double>(std::ranges::lower_bound(sorted_, value) - sorted_.begin()) / n;
  const double upto = static_cast<double>(std::ranges::upper_bound(sorted_, value) - sorted_.begin()) / n;
  return rank < below ? below - rank : rank > upto ? rank - upto : 0;
}

/// What the estimate says that it is of: all readings, or those clipped to what was measured.
double NumberWorld::truth_of(const EverydayEstimate& estimate, const Everyday& of) const {
  if (estimate.name == "mean") return mean_;
  if (estimate.name == "standard deviation") return spread_;
  if (estimate.name.starts_with('p')) {
    const double rank = std::stod(estimate.name.substr(1)) / 100;
    const auto at = static_cast<std::size_t>(rank * static_cast<double>(sorted_.size()));
    return sorted_[std::min(at, sorted_.size() - 1)];
  }
  if (!estimate.name.starts_with("clipped")) return mean_;  // the share of an event
  double sum = 0, squares = 0;
  for (const std::int32_t value : sorted_) {
    const double off = std::clamp<double>(value, of.clip_low, of.clip_high) - mean_;
    sum += off;
    squares += off * off;
  }
  const auto n = static_cast<double>(sorted_.size());
  return estimate.name == "clipped mean" ? mean_ + sum / n : std::sqrt(squares / n - sum * sum / n / n);
}

NamedErrors NumberWorld::measure(const Everyday& estimated) const {
  NamedErrors out;
  double covered = 0, intervals = 0;
  const bool is_event = options_.kind == "event";
  for (const EverydayEstimate& e : estimated.estimates) {
    const double truth = truth_of(e, estimated), off = std::abs(e.value - truth);
    if (is_event) {
      out.emplace_back("share_error", off);
    } else if (e.name == "mean") {
      out.emplace_back("mean_error", off / (options_.kind == "number" && options_.column == nullptr ? sd_ : spread_));
      if (options_.kind == "count") out.emplace_back("relative_error", off / mean_);
    } else if (e.name.ends_with("standard deviation")) {
      out.emplace_back("sd_error", std::abs(e.value - spread_) / spread_);
    } else if (e.name.starts_with('p')) {
      out.emplace_back("rank_error_" + e.name, rank_error(e.value, std::stod(e.name.substr(1)) / 100));
    }
    const bool holds = e.low <= truth && truth <= e.high;
    if (estimated.estimates.size() > 1) {
      std::string name = e.name;
      std::ranges::replace(name, ' ', '_');
      out.emplace_back("coverage_" + name, holds ? 1 : 0);
    }
    covered += holds;
    ++intervals;
  }
  if (!estimated.cells.empty()) {
    double l1 = 0;
    const auto upto = [&](double value, bool last) {
      const auto at = last ? sorted_.end() : std::ranges::lower_bound(sorted_, value);
      return static_cast<double>(at - sorted_.begin()) / static_cast<double>(sorted_.size());
    };
    double before = 0;
    for (const EverydayCell& cell : estimated.cells) {
      const double until = upto(cell.until, &cell == &estimated.cells.back());
      l1 += std::abs(cell.share - (until - before));
      before = until;
    }
    out.emplace_back("histogram_l1", l1);
  }
  if (intervals > 0) out.emplace_back("coverage", covered / intervals);
  return out;
}

/// Whether devices can hold the range that the study states.
Result<Done> check_range(const EverydayOptions& options) {
  constexpr double k_most = 1e9;
  const auto bad = [](const char* what, double value, const char* fix) {
    return Error{"simulate.bad_range", what, fmt::format("{}", value), fix};
  };
  for (const std::optional<double>& end : {options.low, options.high}) {
    if (end && !(std::abs(*end) <= k_most))
      return bad("an end of the range is no number that devices hold", *end, "state one between -1e9 and 1e9");
  }
  if (options.low && options.high && *options.low >= *options.high)
    return bad("the range ends before it begins", *options.high, "state --high above --low");
  return Done{};
}

}  // namespace

double steps_of(const NumberColumn& column, std::optional<double> low, std::optional<double> high) noexcept {
  const auto [first, last] = ends_of(column);
  const double least = low.value_or(first), most = high.value_or(last);
  double steps = 1;
  while (most > least && (most - least) * steps < k_steps_min) steps *= 10;
  return steps;
}

Result<std::unique_ptr<EverydayWorld>> number_world(const EverydayOptions& options) {
  if (const auto good = check_range(options); !good) return good.error();
  const std::optional<NumberLaw> law = parse_number_law(options.law);
  if (!law)
    return Error{"simulate.bad_law", "--law is not known", options.law,
                 "write normal, lognormal, two-modes, spike, uniform or discrete"};
  if (!(options.range_sd > 0 && options.range_sd <= 10000))
    return Error{"simulate.bad_law", "--range-sd is outside of what can be simulated",
                 fmt::format("{}", options.range_sd), "write a number above 0, at most 10000"};
  if (options.samples == 0 || options.samples > 1024)
    return Error{"simulate.bad_law", "--samples is no number of readings that a device may hold",
                 fmt::format("{}", options.samples), "write a whole number from 1 to 1024"};
  return std::unique_ptr<EverydayWorld>(std::make_unique<NumberWorld>(options, *law));
}

}  // namespace sotto::analyzer
