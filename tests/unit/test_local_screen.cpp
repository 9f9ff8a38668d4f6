// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Screening against the exact scores, over random and wild shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "local_problem.hpp"
#include "sotto/local/screen.hpp"

namespace sotto {
namespace {

/// Whether a's score is larger than b's by a factor of 1 + 2^-13.
bool clearly_stronger(const ColumnSums& a, const ColumnSums& b, std::uint64_t ridge) {
  const auto score = [&](const ColumnSums& s) {
    return std::abs(static_cast<long double>(s.product)) / std::sqrt(static_cast<long double>(s.square + ridge));
  };
  return score(a) > score(b) * (1 + std::ldexp(1.0L, -13));
}

std::vector<ColumnSums> exact_sums(const LocalProblem& p, const std::vector<std::int64_t>& weight) {
  std::vector<ColumnSums> sums(p.features());
  for (std::uint32_t j = 0; j < p.features(); ++j) {
    std::int64_t product = 0, square = 0;
    for (std::uint32_t i = 0; i < p.rows(); ++i) {
      product += std::int64_t{p.at(i, j)} * weight[i];
      square += std::int64_t{p.at(i, j)} * p.at(i, j);
    }
    sums[j] = {product, static_cast<std::uint64_t>(square)};
  }
  return sums;
}

std::vector<std::int64_t> targets(const LocalProblem& p) {
  std::vector<std::int64_t> y(p.rows());
  for (std::uint32_t i = 0; i < p.rows(); ++i) y[i] = p.at(i, p.features());
  return y;
}

/// The kept are the strongest, in order, up to what the precision allows; strengths are those of their columns.
void check_list(const std::vector<ScreenedColumn>& best, const std::vector<ColumnSums>& sums, std::uint64_t ridge) {
  std::vector<char> kept(sums.size());
  const std::size_t count = std::min(best.size(), sums.size());
  for (std::size_t k = 0; k < count; ++k) {
    ASSERT_LT(best[k].column, sums.size());
    ASSERT_FALSE(kept[best[k].column]) << "twice in the list";
    kept[best[k].column] = 1;
    const ColumnSums& s = sums[best[k].column];
    ASSERT_EQ(best[k].strength, screen_strength(s.product, s.square + ridge));
    if (k > 0) {
      ASSERT_FALSE(clearly_stronger(s, sums[best[k - 1].column], ridge));
      if (best[k].strength == best[k - 1].strength) {
        ASSERT_LT(best[k - 1].column, best[k].column);
      }
    }
  }
  if (count == 0) return;
  for (std::size_t j = 0; j < sums.size(); ++j) {
    if (kept[j]) continue;
    ASSERT_FALSE(clearly_stronger(sums[j], sums[best[count - 1].column], ridge)) << j;
  }
}

std::vector<ScreenedColumn> screened(const ScreenSpec& spec, const Samples& samples, std::size_t count,
                                     const std::vector<std::int32_t>& residual = {}) {
  std::vector<ScreenedColumn> best(count);
  std::vector<std::byte> work(screen_work_bytes(samples.rows, samples.mapped != nullptr));
  screen(spec, samples, residual, work, best);
  return best;
}

TEST(Screen, keeps_the_strongest_of_random_and_wild_data) {
  std::mt19937_64 random{31};
  for (int trial = 0; trial < 400; ++trial) {
    const auto rows = static_cast<std::uint32_t>(random() % (trial % 40 == 0 ? 1025 : 60));
    const auto features = static_cast<std::uint32_t>(1 + random() % 300);
    const LocalProblem p = trial % 2 == 0 ? bell_problem(rows, features, random) : wild_problem(rows, features, random);
    const ScreenSpec spec{static_cast<std::uint32_t>(1 + random() % 1024),
                          static_cast<std::uint32_t>(1 + random() % 32768)};
    const auto best = screened(spec, p.samples(), 1 + random() % 80);
    check_list(best, exact_sums(p, targets(p)), screen_ridge(spec));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

TEST(Screen, reads_the_same_through_a_hook) {
  std::mt19937_64 random{32};
  for (int trial = 0; trial < 60; ++trial) {
    const LocalProblem p =
        bell_problem(static_cast<std::uint32_t>(random() % 50), static_cast<std::uint32_t>(1 + random() % 400), random);
    const auto in_place = screened({40, 8192}, p.samples(), 64), hooked = screened({40, 8192}, p.hooked(), 64);
    for (std::size_t k = 0; k < 64; ++k) {
      ASSERT_EQ(in_place[k].column, hooked[k].column);
      ASSERT_EQ(in_place[k].strength, hooked[k].strength);
    }
  }
}

TEST(Screen, takes_a_residual_rounded_to_fifteen_bits) {
  std::mt19937_64 random{33};
  for (int trial = 0; trial < 200; ++trial) {
    const LocalProblem p = bell_problem(static_cast<std::uint32_t>(1 + random() % 50), 40, random);
    std::vector<std::int32_t> residual(p.rows());
    std::uint32_t bits = 0;  // of the largest size
    for (std::int32_t& r : residual) {
      r = static_cast<std::int32_t>(random()) >> (random() % 4 + static_cast<unsigned>(trial) % 28);
      bits |= r < 0 ? 0u - static_cast<std::uint32_t>(r) : static_cast<std::uint32_t>(r);
    }
    int shift = 0;
    while (bits >> shift > 32767) ++shift;
    std::vector<std::int64_t> weight;
    for (const std::int32_t r : residual) {
      const double rounded = std::floor(std::ldexp(static_cast<double>(r), -shift) + 0.5);
      weight.push_back(static_cast<std::int64_t>(std::min(32767.0, rounded)));
    }
    check_list(screened({50, 8192}, p.samples(), 16, residual), exact_sums(p, weight), screen_ridge({50, 8192}));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

// The stated precision: (1 - 2^-13 - 2^-15, 1 + 2^-15) of the true square, whatever the sizes.
TEST(Screen, strength_is_as_precise_as_stated) {
  std::mt19937_64 random{34};
  for (int trial = 0; trial < 200000; ++trial) {
    const ColumnSums s{static_cast<std::int64_t>(1 + (random() & ((1ull << 40) - 1)) % (1ull << (1 + random() % 40))),
                       random() % (1ull << (1 + random() % 40))};
    const std::uint64_t ridge = 1 + random() % (1ull << (1 + random() % 40));
    const std::uint32_t strength = screen_strength(s.product, s.square + ridge);
    const long double value =
        std::ldexp(static_cast<long double>(strength & 0xffff), static_cast<int>(strength >> 16) - 80);
    const auto product = static_cast<long double>(s.product);
    const long double ratio = value / (product * product / static_cast<long double>(s.square + ridge));
    ASSERT_GT(ratio, 1 - std::ldexp(1.0L, -13) - std::ldexp(1.0L, -15));
    ASSERT_LT(ratio, 1 + std::ldexp(1.0L, -15) + std::ldexp(1.0L, -30));
    ASSERT_GE(strength & 0xffffu, 0x8000u);
  }
}

}  // namespace
}  // namespace sotto
