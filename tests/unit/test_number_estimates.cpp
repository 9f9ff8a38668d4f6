// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The estimators of number on expected outcomes, where nothing is left to chance.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "src/protocol/number/beyond.hpp"
#include "src/protocol/number/levels.hpp"
#include "src/protocol/number/place_moments.hpp"
#include "src/protocol/number/quantiles.hpp"
#include "src/protocol/number/zoom.hpp"

namespace sotto::analyzer {
namespace {

/// The expected outcomes of n devices whose answers have these shares over the channel's levels.
std::vector<double> expected(const WindowSpec& spec, const std::vector<double>& levels, double n) {
  const double hit = std::ldexp(static_cast<double>(spec.threshold), -32);
  std::vector<double> out(spec.outcomes, 0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::size_t j = 0; j < out.size(); ++j) {
      const bool inside = j >= i && j < i + spec.width;
      out[j] += n * levels[i] * (inside ? hit / spec.width : (1 - hit) / (spec.outcomes - spec.width));
    }
  }
  return out;
}

WindowSpec window_at(EpsilonNano epsilon) { return std::get<WindowSpec>(window_spec(epsilon).value()); }

std::vector<double> bell(std::size_t levels, double middle, double spread) {
  std::vector<double> out(levels);
  for (std::size_t i = 0; i < levels; ++i) {
    const double z = (static_cast<double>(i) / static_cast<double>(levels - 1) - middle) / spread;
    out[i] = std::exp(-z * z / 2);
  }
  const double all = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& share : out) share /= all;
  return out;
}

TEST(Number, the_window_is_the_square_wave_of_its_epsilon) {
  for (const auto& [nats, width] : {std::pair{0.5, 54u}, {1.0, 44u}, {2.0, 27u}, {4.0, 8u}})
    EXPECT_EQ(window_at(static_cast<EpsilonNano>(nats * 1e9)).width, width);
}

TEST(Number, moments_of_expected_outcomes_are_those_of_the_answers) {
  for (const EpsilonNano epsilon : {500'000'000u, 1'000'000'000u, 4'000'000'000u}) {
    const WindowSpec spec = window_at(epsilon);
    const std::size_t levels = spec.outcomes - spec.width + 1;
    std::vector<double> f = bell(levels, 0.3, 0.1);
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < levels; ++i) {
      const double place = static_cast<double>(i) / static_cast<double>(levels - 1);
      mean += f[i] * place;
      square += f[i] * place * place;
    }
    const PlaceMoments of = place_moments(spec, expected(spec, f, 1e9));
    EXPECT_NEAR(of.mean, mean, 1e-9);
    const double rounding = 1.0 / 6 / static_cast<double>((levels - 1) * (levels - 1));  // there was none here
    EXPECT_NEAR(of.variance, square - mean * mean - rounding, 1e-8);
    EXPECT_GT(of.mean_error, 0);
    EXPECT_GT(of.variance_error, 0);
  }
}

TEST(Number, a_fit_to_expected_outcomes_has_the_shape_of_the_answers) {
  for (const EpsilonNano epsilon : {1'000'000'000u, 4'000'000'000u}) {
    const WindowSpec spec = window_at(epsilon);
    const std::size_t levels = spec.outcomes - spec.width + 1;
    const std::vector<double> truth = bell(levels, 0.4, 0.12);
    const std::vector<double> fit = LevelFit(spec, {}).choose({expected(spec, truth, 1e6), {}});
    double off = 0;
    for (std::size_t i = 0; i < levels; ++i) off += std::abs(fit[i] - truth[i]);
    EXPECT_LT(off, 0.05);
    for (const double share : {0.01, 0.5, 0.9}) EXPECT_NEAR(share_below(fit, place_of(fit, share)), share, 1e-9);
  }
}

/// Expected reports of n devices of which shares lie between the cuts.
CellRound cells_of(const std::vector<double>& cuts, const std::vector<double>& shares, double n) {
  GrrSpec grr{2'000'000'000, static_cast<std::uint32_t>(shares.size()), 0};
  EXPECT_EQ(derive(grr), Status::ok);
  const double hit = std::ldexp(static_cast<double>(grr.threshold), -32);
  const double other = (1 - hit) / (static_cast<double>(shares.size()) - 1);
  CellRound cells{grr, cuts, {}};
  for (const double share : shares) cells.reports.push_back(n * (other + share * (hit - other)));
  return cells;
}

TEST(Number, a_measured_rank_moves_the_quantile) {
  const WindowSpec spec = window_at(2'000'000'000);
  const std::vector<double> outcomes = expected(spec, bell(spec.outcomes - spec.width + 1, 0.5, 0.15), 1e5);
  const auto median = [&](double rank) {  // where so many devices are below the cut at 1/2
    return Distribution(spec, outcomes, cells_of({0.5, 0.99}, {rank, 1 - rank, 0}, 1e5)).quantile(0.5, 0);
  };
  EXPECT_NEAR(median(0.5).value, 0.5, 0.005);
  const Banded moved = median(0.6);  // the cells say that six tenths lie below, the window half: in between
  EXPECT_LT(moved.value, 0.49);
  EXPECT_LT(moved.low, moved.value);
  EXPECT_LT(moved.value, moved.high);
}

TEST(Number, peaks_are_flattened_no_more_than_the_noise_demands) {
  const WindowSpec spec = window_at(2'000'000'000);
  std::vector<double> truth(spec.outcomes - spec.width + 1, 0.0);
  truth[30] = truth[70] = 0.5;
  const auto off = [&](double devices) {
    const std::vector<double> fit = LevelFit(spec, {}).choose({expected(spec, truth, devices), {}});
    return std::abs(share_below(fit, 0.32) - share_below(fit, 0.27) - 0.5);
  };
  EXPECT_LT(off(1e6), off(1e3) / 1.5) << "many devices refute a smooth law";
}

TEST(Number, an_interval_at_a_sharp_edge_has_room_for_what_the_fit_smears) {
  const WindowSpec spec = window_at(2'000'000'000);
  std::vector<double> even(spec.outcomes - spec.width + 1, 0.0);
  for (std::size_t i = 30; i < 70; ++i) even[i] = 1.0 / 40;
  const double edge = 69.5 / static_cast<double>(even.size() - 1),
               truth = edge - 0.01 * 40 / static_cast<double>(even.size() - 1);
  const Distribution fit(spec, expected(spec, even, 1e6), cells_of({0.5, edge + 0.02}, {0.5, 0.5, 0}, 1e6));
  const Banded p99 = fit.quantile(0.99, 1);
  EXPECT_LE(p99.low, truth);
  EXPECT_GE(p99.high, truth);
  EXPECT_LT(p99.high - p99.low, 0.2);
}

TEST(Number, a_zoom_takes_the_run_that_holds_almost_all) {
  const Range stated{0, 3200};
  Shares bins;
  bins.share.assign(32, 0.0);
  bins.error.assign(32, 0.001);
  bins.noise = 0.001;
  bins.share[10] = 0.5;
  bins.share[11] = 0.5;
  const std::optional<Range> found = zoomed(stated, bins);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->low, 900);  // two bins, and one more on either side
  EXPECT_EQ(found->high, 1300);
  bins.noise = 0.3;
  EXPECT_FALSE(zoomed(stated, bins));
  bins.noise = 0.001;
  bins.share.assign(32, 1.0 / 32);
  EXPECT_FALSE(zoomed(stated, bins)) << "no run is narrower than a range that is used in full";
}

TEST(Number, a_check_moves_the_side_with_too_many_beyond_it) {
  const Range stated{0, 10000}, inside{4000, 5000}, far{1000, 8000};
  const auto cells = [](double below, double above) {
    return Shares{{below, 1 - below - above, above}, {0.001, 0.001, 0.001}, 0.001, 100000};
  };
  EXPECT_EQ(widened(inside, far, stated, cells(0.01, 0.01)), inside);
  EXPECT_EQ(widened(inside, far, stated, cells(0.05, 0)), (Range{3000, 5000}));
  EXPECT_EQ(widened(inside, far, stated, cells(0, 0.101)), (Range{4000, 7000}));
  EXPECT_EQ(grown(inside, stated), (Range{3000, 6000}));
  EXPECT_EQ(grown({500, 9000}, stated), stated);
  EXPECT_EQ(widened(inside, far, stated, cells(0, 0.2)), (Range{4000, 8000}));
}

TEST(Number, a_share_that_nobody_names_has_a_bound_that_few_reports_do_not_make_small) {
  const AnySpec spec = category_spec(4'000'000'000, 3).value();
  const double hit = std::ldexp(static_cast<double>(std::get<GrrSpec>(spec).threshold), -32), other = (1 - hit) / 2;
  const auto seen = [&](double named, std::uint64_t n) {  // the shares of a check in which so many reports say "above"
    const double share = (named / static_cast<double>(n) - other) / (hit - other);
    return beyond_of(spec, {{0, 1 - share, share}, {0, 0, 0}, 0, n}, 2, 100);
  };
  EXPECT_EQ(seen(0, 30).share, 0);  // never below none
  EXPECT_GT(seen(0, 30).most, 0.05);
  EXPECT_LT(seen(0, 30).most, 0.15);
  const Beyond many = seen(20000 * (other + 0.1 * (hit - other)), 20000);
  EXPECT_NEAR(many.share, 0.1, 1e-9);
  EXPECT_NEAR(many.most, 0.1 + 1.96 * std::sqrt(0.113 * 0.887 / 20000) / (hit - other), 0.002);
}

TEST(Number, what_lies_beyond_an_end_widens_the_mean_on_its_side) {
  const EverydayEstimate clipped{"clipped mean", "ms", 100, 99, 101};
  const EverydayEstimate same = mean_of_all(clipped, {}, {});
  EXPECT_EQ(same.low, 99);
  EXPECT_EQ(same.high, 101);
  const EverydayEstimate mean = mean_of_all(clipped, {}, {{0.01, 0.03, 1000}});
  EXPECT_EQ(mean.name, "mean");
  EXPECT_EQ(mean.low, 99);
  EXPECT_NEAR(mean.high, 100 + 0.01 * 1000 + std::hypot(1, 0.02 * 1000), 1e-9);
  EXPECT_NEAR(most_beyond({{{0.01, 0.03, 1}}, {{0, 0.02, 1}}}), 0.01 + std::hypot(0.02, 0.02), 1e-12);
}

}  // namespace
}  // namespace sotto::analyzer
