// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// How often the 95 % intervals of number and count hold what they are of, over laws, sizes of fleet and epsilons; and
// that no study says "learned" of an interval that does not. SOTTO_SWEEP_SEED chooses other fleets.
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "channel_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_pooled = 0.93, k_cell = 0.88;

struct Tally {
  double held = 0, all = 0;
  [[nodiscard]] double share() const { return all > 0 ? held / all : 1; }
};

std::uint64_t first_seed() {
  const char* const seed = std::getenv("SOTTO_SWEEP_SEED");
  return seed == nullptr ? 71 : std::strtoull(seed, nullptr, 10);
}

/// A cell may fall below its share by chance: by as much as three deviations of so many fleets.
double least_of(const Tally& of) { return k_cell - 3 * std::sqrt(k_cell * (1 - k_cell) / std::max(1.0, of.all)); }

class Sweep {
 public:
  void run(EverydayOptions options, int fleets, const std::string& cell) {
    std::map<std::string, Tally> here;
    std::map<std::string, double> sums;
    int learned = 0, confident = 0, uncertain = 0;
    for (int i = 0; i < fleets; ++i) {
      options.seed = first_seed() + 7919 * static_cast<std::uint64_t>(++fleet_) + options.devices;
      const auto world = everyday_world(options);
      const Model model = answered_by_channels(*world.value(), options.seed);
      bool mean_held = true;
      for (const auto& [name, value] : world.value()->measure(model.everyday)) {
        sums[name] += value / fleets;
        if (!name.starts_with("coverage_")) continue;
        for (Tally* const tally : {&here[name], &pooled_[name]}) {
          tally->held += value;
          ++tally->all;
        }
        if (name == "coverage_mean") mean_held = value != 0;
      }
      learned += model.verdict == Verdict::learned;
      uncertain += model.verdict == Verdict::uncertain;
      confident += model.verdict == Verdict::learned && !mean_held;
    }
    std::string line = fmt::format("{:<34} learned {:2} uncertain {:2} of {}", cell, learned, uncertain, fleets);
    for (const auto& [name, tally] : here) {
      line += fmt::format("  {} {:.2f}", name.substr(9), tally.share());
      EXPECT_GE(tally.share(), least_of(tally)) << cell << " " << name;
    }
    for (const char* name : {"mean_error", "relative_error", "histogram_l1", "rank_error_p50", "rank_error_p99"}) {
      if (sums.contains(name)) line += fmt::format("  {} {:.3f}", name, sums[name]);
    }
    fmt::print("{}\n", line);
    std::fflush(stdout);
    EXPECT_LE(confident, std::max(1, fleets / 10)) << cell << ": learned, and wrong";
  }
  void close() const {
    for (const auto& [name, tally] : pooled_) {
      fmt::print("{:<40} {:.3f} of {}\n", name, tally.share(), tally.all);
      EXPECT_GE(tally.share(), k_pooled) << name;
    }
  }

 private:
  std::map<std::string, Tally> pooled_;
  int fleet_ = 0;
};

int fleets_of_a_cell() {
  const char* const many = std::getenv("SOTTO_SWEEP_FLEETS");
  return many == nullptr ? 40 : std::atoi(many);
}

void sweep_number(std::uint64_t devices) {
  Sweep sweep;
  for (const double epsilon : {1.0, 2.0, 4.0}) {
    for (const char* law : {"normal", "lognormal", "two-modes", "spike", "uniform", "discrete"}) {
      EverydayOptions options{.kind = "number", .devices = devices, .epsilon = epsilon};
      options.law = law;
      options.range_sd = 50;
      options.quantiles = {0.5, 0.9, 0.99};
      sweep.run(options, fleets_of_a_cell(), fmt::format("{} epsilon {} {}", devices, epsilon, law));
    }
  }
  sweep.close();
}

TEST(EverydayCoverage, a_number_holds_of_1000_devices) { sweep_number(1000); }
TEST(EverydayCoverage, a_number_holds_of_10000_devices) { sweep_number(10000); }
TEST(EverydayCoverage, a_number_holds_of_100000_devices) { sweep_number(100000); }

TEST(EverydayCoverage, count_holds_over_means_fleets_and_epsilons) {
  Sweep sweep;
  for (const std::uint64_t devices : {300, 1000, 10000, 100000}) {
    for (const double epsilon : {1.0, 2.0, 4.0}) {
      for (const double mean : {0.2, 2.0, 40.0}) {
        EverydayOptions options{.kind = "count", .devices = devices, .epsilon = epsilon};
        options.mean = mean;
        sweep.run(options, fleets_of_a_cell(), fmt::format("{} epsilon {} mean {}", devices, epsilon, mean));
      }
    }
  }
  sweep.close();
}

TEST(EverydayCoverage, the_error_of_a_rare_event_is_that_of_its_formula) {
  constexpr int k_fleets = 2000;  // the error of a root mean square over so many is 1.6 %
  for (const double epsilon : {1.0, 2.0, 4.0}) {
    EverydayOptions options{.kind = "event", .devices = 1000, .epsilon = epsilon};
    options.share = 0.02;
    double squares = 0, expected = 0, held = 0;
    for (int i = 0; i < k_fleets; ++i) {
      options.seed = first_seed() + 104729 * static_cast<std::uint64_t>(i + 1);
      const auto world = everyday_world(options);
      const Model model = answered_by_channels(*world.value(), options.seed);
      const EverydayEstimate& share = model.everyday.estimates.front();
      const double truth = world.value()->truths(model.everyday).front(), n = static_cast<double>(options.devices);
      squares += (share.value - truth) * (share.value - truth);
      expected += std::exp(epsilon) / (std::exp(epsilon) - 1) / (std::exp(epsilon) - 1) / n;  // of the coins alone
      held += share.low <= truth && truth <= share.high ? 1 : 0;
    }
    const double ratio = std::sqrt(squares / expected);
    fmt::print("event of 2 %, epsilon {}: error over formula {:.3f}, held {:.3f}\n", epsilon, ratio, held / k_fleets);
    EXPECT_NEAR(ratio, 1, 0.05) << epsilon;
    EXPECT_GE(held / k_fleets, k_pooled);
  }
}

}  // namespace
}  // namespace sotto::analyzer
