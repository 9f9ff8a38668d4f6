// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Simulated worlds have the law that their words promise. Seeds are fixed; bounds are 4.5 standard errors and more.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <set>
#include <thread>
#include <vector>

#include "sotto/analyzer/simulate/synthetic_world.hpp"

namespace sotto::analyzer {
namespace {

/// All rows of a world in natural units: features, then the target.
std::vector<std::vector<double>> all_rows(const SyntheticWorld& world) {
  std::vector<std::vector<double>> all;
  DeviceRows rows;
  const std::size_t width = world.features() + 1;
  for (std::uint64_t device = 0; device < world.devices(); ++device) {
    world.read(device, rows);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::vector<double> row(rows.numbers.begin() + static_cast<std::ptrdiff_t>(r * width),
                              rows.numbers.begin() + static_cast<std::ptrdiff_t>((r + 1) * width));
      for (std::size_t j = 0; j < width - 1; ++j) row[j] /= world.feature_unit();
      row[width - 1] /= world.target_unit();
      all.push_back(std::move(row));
    }
  }
  return all;
}

double mean_of(const std::vector<std::vector<double>>& rows, auto&& value) {
  double sum = 0;
  for (const auto& row : rows) sum += value(row);
  return sum / static_cast<double>(rows.size());
}

double noise_of(const SyntheticWorld& world, const std::vector<double>& row) {
  double y = row.back();
  for (const std::uint32_t j : world.support()) y -= world.truth()[j] * row[j];
  return y;
}

SyntheticSpec spec_of(std::uint64_t devices, std::uint32_t samples, std::uint32_t features, std::uint32_t nonzeros) {
  return {
      .devices = devices, .samples_low = samples, .samples_high = samples, .features = features, .nonzeros = nonzeros};
}

TEST(SyntheticWorld, independent_features_are_standard_normal) {
  SyntheticSpec spec = spec_of(4000, 10, 7, 0);
  spec.unit_q15 = 7000;  // wide enough for the whole table
  const auto rows = all_rows(SyntheticWorld(spec));
  const double n = static_cast<double>(rows.size());
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[i]; }), 0, 4.5 / std::sqrt(n));
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::pow(r[i], 3); }), 0, 4.5 * std::sqrt(15 / n));
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::pow(r[i], 4); }), 3, 4.5 * std::sqrt(96 / n));
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::abs(r[i]) > 1.959964; }), 0.05, 4.5 * std::sqrt(0.0475 / n));
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[i] * r[j]; }), i == j, 4.5 * std::sqrt((i == j ? 2 : 1) / n));
    }
  }
}

TEST(SyntheticWorld, correlated_features_forget_by_half_up_to_the_fiftieth) {
  const auto rows = all_rows(SyntheticWorld([] {
    SyntheticSpec spec = spec_of(2000, 20, 54, 0);
    spec.design = Design::correlated;
    return spec;
  }()));
  const double n = static_cast<double>(rows.size());
  for (std::size_t i = 0; i < 54; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double wanted = i == j ? 1 : i < 50 ? std::pow(2.0, -static_cast<double>(i - j)) : 0;
      // 1500 pairs: 5 standard errors. Clamping at 4 deviations costs 2e-4 of the variance.
      EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[i] * r[j]; }), wanted,
                  5 * std::sqrt((1 + wanted * wanted) / n) + 2e-4)
          << i << " " << j;
    }
  }
}

TEST(SyntheticWorld, rademacher_features_are_signs) {
  SyntheticSpec spec = spec_of(1000, 20, 70, 3);
  spec.design = Design::rademacher;
  const auto rows = all_rows(SyntheticWorld(spec));
  const double n = static_cast<double>(rows.size());
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < 70; ++j) ASSERT_EQ(std::abs(row[j]), 1);
  }
  for (std::size_t j = 1; j < 70; ++j) {
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[j]; }), 0, 4.5 / std::sqrt(n));
    EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[j] * r[j - 1]; }), 0, 4.5 / std::sqrt(n));
  }
}

TEST(SyntheticWorld, the_unit_ball_is_filled_evenly) {
  for (const std::uint32_t d : {1u, 2u, 9u}) {
    SyntheticSpec spec = spec_of(2000, 10, d, 1);
    spec.design = Design::unit_ball;
    const SyntheticWorld world(spec);
    EXPECT_EQ(world.feature_unit(), 32767);
    const auto rows = all_rows(world);
    const double n = static_cast<double>(rows.size());
    const auto norm = [d](const std::vector<double>& r) {
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j) sum += r[j] * r[j];
      return std::sqrt(sum);
    };
    for (const auto& row : rows) ASSERT_LE(norm(row), 1 + 1e-4);
    // The volume inside of a radius is its d-th power.
    for (const double share : {0.25, 0.5, 0.75}) {
      EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::pow(norm(r), d) < share; }), share,
                  4.5 * 0.5 / std::sqrt(n));
    }
    for (std::size_t j = 0; j < d; ++j) {
      EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[j]; }), 0, 4.5 / std::sqrt(n * (d + 2)));
      EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[j] * r[j]; }), 1.0 / (d + 2), 4.5 / std::sqrt(n) / (d + 2));
    }
  }
}

TEST(SyntheticWorld, targets_follow_their_link) {
  SyntheticSpec spec = spec_of(2000, 10, 20, 4);
  spec.noise.size = 0;
  spec.link = TargetLink::cosine;
  const SyntheticWorld cosine(spec);
  const auto fit_of = [](const SyntheticWorld& world, const std::vector<double>& row) {
    double fit = 0;
    for (const std::uint32_t j : world.support()) fit += world.truth()[j] * row[j];
    return fit;
  };
  for (const auto& row : all_rows(cosine)) {
    const double fit = fit_of(cosine, row);
    ASSERT_NEAR(row[20], 8 * fit + std::cos(fit), 0.501 * 8 / 8192);
  }
  spec.link = TargetLink::logistic;
  const SyntheticWorld logistic(spec);
  const auto rows = all_rows(logistic);
  for (const auto& row : rows) ASSERT_EQ(std::abs(row[20]), 1);
  // (class - p) has mean 0 and goes along with nothing that the devices hold.
  const auto left = [&](const std::vector<double>& r) {
    return (r[20] + 1) / 2 - 1 / (1 + std::exp(-fit_of(logistic, r)));
  };
  EXPECT_NEAR(mean_of(rows, left), 0, 4.5 * 0.5 / std::sqrt(20000.0));
  EXPECT_NEAR(mean_of(rows, [&](auto& r) { return left(r) * fit_of(logistic, r); }), 0, 4.5 * 0.5 / std::sqrt(20000.0));
}

TEST(SyntheticWorld, the_target_is_the_model_plus_its_noise) {
  SyntheticSpec spec = spec_of(2000, 10, 20, 4);
  spec.noise.size = 0;
  const SyntheticWorld exact(spec);
  for (const auto& row : all_rows(exact)) ASSERT_NEAR(noise_of(exact, row), 0, 0.501 / 8192);
  spec.noise.size = 0.5;
  const SyntheticWorld noisy(spec);
  const auto rows = all_rows(noisy);
  EXPECT_NEAR(mean_of(rows, [&](auto& r) { return noise_of(noisy, r); }), 0, 4.5 * 0.5 / std::sqrt(20000.0));
  EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::pow(noise_of(noisy, r), 2); }), 0.25,
              4.5 * 0.25 * std::sqrt(2 / 20000.0));
}

TEST(SyntheticWorld, uniform_noise_stays_within_its_half_width) {
  SyntheticSpec spec = spec_of(1000, 20, 5, 2);
  spec.noise = {Noise::Kind::uniform, 0.5};
  const SyntheticWorld world(spec);
  const auto rows = all_rows(world);
  for (const auto& row : rows) ASSERT_LE(std::abs(noise_of(world, row)), 0.5 + 1.0 / 8192);
  EXPECT_NEAR(mean_of(rows, [&](auto& r) { return noise_of(world, r) < 0.25; }), 0.75,
              4.5 * 0.433 / std::sqrt(20000.0));
}

TEST(SyntheticWorld, student_noise_has_the_tails_of_t) {
  SyntheticSpec spec = spec_of(20000, 10, 1, 0);
  spec.noise = {Noise::Kind::student, 3};
  spec.unit_q15 = 512;  // up to 64
  const auto rows = all_rows(SyntheticWorld(spec));
  const double n = static_cast<double>(rows.size());
  // P(|t_3| > 0.7649, 3.1824, 5.8409, 12.924) = 0.5, 0.05, 0.01, 0.001 (any table of t).
  for (const auto& [beyond, share] : {std::pair(0.76489, 0.5), {3.18245, 0.05}, {5.84091, 0.01}, {12.92398, 0.001}}) {
    EXPECT_NEAR(mean_of(rows, [&, at = beyond](auto& r) { return std::abs(r[1]) > at; }), share,
                4.5 * std::sqrt(share * (1 - share) / n) + 0.002 * share)
        << beyond;
  }
  EXPECT_NEAR(mean_of(rows, [](auto& r) { return r[1] > 0; }), 0.5, 4.5 * 0.5 / std::sqrt(n) + 0.001);
}

TEST(SyntheticWorld, rows_of_the_mean_are_scattered_around_it) {
  for (const auto kind : {Noise::Kind::gaussian, Noise::Kind::uniform}) {
    // The second: a third of a unit of the device, which rounding must not swallow (it is ten standard errors).
    for (const auto& [mean, noise] : {std::pair(0.7, 0.5), {0.34 / 8192, 0.001}}) {
      SyntheticSpec spec = spec_of(10000, 10, 5, 3);
      spec.task = Task::mean;
      spec.noise = {kind, noise};
      spec.signal.value = mean;
      const SyntheticWorld world(spec);
      const auto rows = all_rows(world);
      const double variance = noise * noise / (kind == Noise::Kind::gaussian ? 1 : 3),
                   n = static_cast<double>(rows.size());
      for (std::size_t j = 0; j < 5; ++j) {
        const double truth = world.truth()[j];
        EXPECT_NEAR(mean_of(rows, [&](auto& r) { return r[j]; }), truth, 4.5 * std::sqrt(variance / n));
        EXPECT_NEAR(mean_of(rows, [&](auto& r) { return std::pow(r[j] - truth, 2); }), variance,
                    4.5 * variance * std::sqrt(2 / n));
      }
      for (const auto& row : rows) ASSERT_EQ(row[5], 0);
    }
  }
}

TEST(SyntheticWorld, the_truth_has_the_wanted_nonzeros_and_signs) {
  SyntheticSpec spec = spec_of(1, 1, 300, 100);
  spec.signal = {Signal::Kind::equal, 0.2};
  spec.random_signs = true;
  const SyntheticWorld world(spec);
  const auto& truth = world.truth();
  ASSERT_EQ(truth.size(), 300u);
  EXPECT_EQ(world.support().size(), 100u);
  EXPECT_EQ(std::count(truth.begin(), truth.end(), 0.0), 200);
  const auto plus = std::count(truth.begin(), truth.end(), 0.2), minus = std::count(truth.begin(), truth.end(), -0.2);
  EXPECT_EQ(plus + minus, 100);
  EXPECT_GT(std::min(plus, minus), 27);  // 4.5 deviations of a fair coin
  spec.random_signs = false;
  const SyntheticWorld plain(spec);
  EXPECT_EQ(std::count(plain.truth().begin(), plain.truth().end(), 0.2), 100);
}

TEST(SyntheticWorld, a_uniform_signal_has_norm_one_at_most) {
  SyntheticSpec spec = spec_of(1, 1, 50, 1);
  spec.signal.kind = Signal::Kind::uniform;
  double least = 1, most = 0;
  for (spec.seed = 0; spec.seed < 200; ++spec.seed) {
    const SyntheticWorld world(spec);
    for (const double b : world.truth()) {
      if (b == 0) continue;
      least = std::min(least, b);
      most = std::max(most, b);
    }
  }
  EXPECT_LT(least, 0.05);  // one coefficient: U[0, 1] as it is
  EXPECT_GT(most, 0.95);
  EXPECT_LE(most, 1);
  spec.nonzeros = 40;
  double squares = 0;
  const SyntheticWorld world(spec);
  for (const double b : world.truth()) squares += b * b;
  EXPECT_NEAR(squares, 1, 1e-12);
}

TEST(SyntheticWorld, the_support_is_anywhere) {
  std::vector<int> hit(10);
  SyntheticSpec spec = spec_of(1, 1, 10, 3);
  for (spec.seed = 0; spec.seed < 2000; ++spec.seed) {
    const SyntheticWorld world(spec);
    for (const std::uint32_t j : world.support()) ++hit[j];
  }
  for (const int count : hit) EXPECT_NEAR(count, 600, 4.5 * std::sqrt(2000 * 0.3 * 0.7));
}

TEST(SyntheticWorld, empty_devices_and_unequal_samples_have_their_shares) {
  SyntheticSpec spec = spec_of(40000, 3, 2, 1);
  spec.samples_high = 7;
  spec.empty = 0.3;
  const SyntheticWorld world(spec);
  std::vector<int> count(8);
  DeviceRows rows;
  for (std::uint64_t device = 0; device < spec.devices; ++device) {
    world.read(device, rows);
    ASSERT_LE(rows.rows, 7u);
    ASSERT_EQ(rows.numbers.size(), rows.rows * 3u);
    ++count[rows.rows];
  }
  const auto near = [](double got, double share) {
    EXPECT_NEAR(got, 40000 * share, 4.5 * std::sqrt(40000 * share * (1 - share)));
  };
  near(count[0], 0.3);
  EXPECT_EQ(count[1] + count[2], 0);
  for (std::size_t r = 3; r <= 7; ++r) near(count[r], 0.14);
}

TEST(SyntheticWorld, a_device_is_the_same_whoever_asks_and_whatever_was_asked_before) {
  SyntheticSpec spec = spec_of(400, 2, 60, 5);
  spec.samples_high = 9;
  spec.design = Design::correlated;
  const SyntheticWorld world(spec), larger([&] {
    SyntheticSpec more = spec;
    more.devices = 100000;
    return more;
  }());
  std::vector<std::vector<Q15>> forwards(400), backwards(400);
  const auto ask = [&](const SyntheticWorld& of, std::vector<std::vector<Q15>>& into, bool turned) {
    DeviceRows rows;
    for (std::size_t i = 0; i < 400; ++i) {
      const std::size_t device = turned ? 399 - i : i;
      of.read(device, rows);
      into[device] = rows.numbers;
    }
  };
  std::thread one(ask, std::cref(world), std::ref(forwards), false),
      two(ask, std::cref(world), std::ref(backwards), true);
  one.join();
  two.join();
  EXPECT_EQ(forwards, backwards);
  std::vector<std::vector<Q15>> among_more(400);
  ask(larger, among_more, false);
  EXPECT_EQ(forwards, among_more);
  EXPECT_EQ(std::set<std::vector<Q15>>(forwards.begin(), forwards.end()).size(), 400u);
  spec.seed = 2;
  std::vector<std::vector<Q15>> other(400);
  ask(SyntheticWorld(spec), other, false);
  for (std::size_t i = 0; i < 400; ++i) EXPECT_NE(forwards[i], other[i]);
}

TEST(SyntheticWorld, neighbouring_devices_and_rows_do_not_go_along) {
  const SyntheticWorld world(spec_of(20000, 2, 4, 0));
  const auto rows = all_rows(world);
  double of_rows = 0, of_devices = 0;
  for (std::size_t i = 0; i + 3 < rows.size(); i += 2) {
    of_rows += rows[i][0] * rows[i + 1][0];
    of_devices += rows[i][0] * rows[i + 2][0];
  }
  EXPECT_NEAR(of_rows / 20000, 0, 4.5 / std::sqrt(20000.0));
  EXPECT_NEAR(of_devices / 20000, 0, 4.5 / std::sqrt(20000.0));
}

TEST(SyntheticWorld, says_how_fast_it_is) {
  const SyntheticWorld world(spec_of(2000, 20, 64, 8));
  DeviceRows rows;
  std::int64_t sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t device = 0; device < world.devices(); ++device) {
    world.read(device, rows);
    sum += rows.numbers[0];
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f million numbers a second (sum %lld)\n", 2000 * 20 * 65 / took.count() / 1e6,
              static_cast<long long>(sum));
}

}  // namespace
}  // namespace sotto::analyzer
