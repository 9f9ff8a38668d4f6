// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "everyday_baselines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::cli {
namespace {

using analyzer::Xoshiro;

constexpr std::size_t k_wave_bins = 256;
constexpr int k_wave_steps_max = 10000;
constexpr std::uint32_t k_id_bits = 64, k_first_bits = 16, k_step_bits = 12;

/// A bucket below g of a value, for a device's seed: the upper half of a mixed product, scaled.
std::uint32_t bucket(std::uint64_t seed, std::uint64_t value, std::uint32_t g) noexcept {
  std::uint64_t z = (value ^ seed) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 31)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(((z >> 32) * g) >> 32);
}

/// What one device sends by OLH: its hash's seed and a bucket.
struct HashReport {
  std::uint64_t seed;
  std::uint32_t bucket;
};

struct Olh {
  std::uint32_t g;
  double own;
  explicit Olh(double epsilon)
      : g(static_cast<std::uint32_t>(std::lround(std::exp(epsilon))) + 1),
        own(std::exp(epsilon) / (std::exp(epsilon) + g - 1)) {}

  [[nodiscard]] HashReport report(std::uint64_t value, Xoshiro& random) const {
    const std::uint64_t seed = random.word();
    const std::uint32_t true_bucket = bucket(seed, value, g);
    if (random.unit() < own) return {seed, true_bucket};
    const std::uint32_t other = random.below(g - 1);
    return {seed, other + (other >= true_bucket ? 1 : 0)};
  }
  [[nodiscard]] double share(std::span<const HashReport> reports, std::uint64_t value) const {
    std::size_t hits = 0;
    for (const HashReport& one : reports) hits += bucket(one.seed, value, g) == one.bucket;
    return (static_cast<double>(hits) / static_cast<double>(reports.size()) - 1.0 / g) / (own - 1.0 / g);
  }
};

}  // namespace

std::vector<double> olh_shares(std::span<const std::uint32_t> values, std::uint32_t d, double epsilon,
                               Xoshiro& random) {
  const Olh olh(epsilon);
  std::vector<HashReport> reports;
  for (const std::uint32_t value : values) reports.push_back(olh.report(value, random));
  std::vector<double> out;
  for (std::uint32_t v = 0; v < d; ++v) out.push_back(olh.share(reports, v));
  return out;
}

std::vector<double> norm_sub(std::vector<double> shares) {
  std::vector<double> sorted = shares;
  std::ranges::sort(sorted, std::ranges::greater{});
  double sum = 0, shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double now = (1 - sum) / static_cast<double>(i + 1);
    if (sorted[i] + now > 0) shift = now;
  }
  for (double& share : shares) share = std::max(0.0, share + shift);
  return shares;
}

std::vector<double> square_wave(std::span<const double> places, double epsilon, Xoshiro& random) {
  const double e = std::exp(epsilon), b = (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon));
  const double p = e / (2 * b * e + 1), q = 1 / (2 * b * e + 1);
  std::vector<double> outcomes(k_wave_bins, 0);
  for (const double place : places) {
    double y = place - b + 2 * b * random.unit();
    if (random.unit() >= 2 * b * p) {
      y = random.unit() - b;  // of the length 1 outside of the window
      if (y >= place - b) y += 2 * b;
    }
    const auto bin = static_cast<std::size_t>((y + b) / (1 + 2 * b) * k_wave_bins);
    ++outcomes[std::min(bin, k_wave_bins - 1)];
  }
  // How likely an answer in the middle of bin i makes outcome j.
  std::vector<double> channel(k_wave_bins * k_wave_bins);
  const double step = (1 + 2 * b) / k_wave_bins;
  for (std::size_t i = 0; i < k_wave_bins; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / k_wave_bins;
    for (std::size_t j = 0; j < k_wave_bins; ++j) {
      const double from = -b + static_cast<double>(j) * step;
      const double inside = std::max(0.0, std::min(from + step, x + b) - std::max(from, x - b));
      channel[i * k_wave_bins + j] = inside * p + (step - inside) * q;
    }
  }
  std::vector<double> f(k_wave_bins, 1.0 / k_wave_bins), odds(k_wave_bins), next(k_wave_bins);
  double before = -HUGE_VAL;
  for (int n = 0; n < k_wave_steps_max; ++n) {
    std::ranges::fill(odds, 0.0);
    for (std::size_t i = 0; i < k_wave_bins; ++i) {
      for (std::size_t j = 0; j < k_wave_bins; ++j) odds[j] += f[i] * channel[i * k_wave_bins + j];
    }
    double likelihood = 0;
    for (std::size_t j = 0; j < k_wave_bins; ++j) likelihood += outcomes[j] * std::log(odds[j]);
    if (likelihood - before < 1e-3 * e) break;
    before = likelihood;
    for (std::size_t i = 0; i < k_wave_bins; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < k_wave_bins; ++j) sum += outcomes[j] * channel[i * k_wave_bins + j] / odds[j];
      next[i] = f[i] * sum;
    }
    for (std::size_t i = 0; i < k_wave_bins; ++i)
      f[i] = (next[i == 0 ? 0 : i - 1] + 2 * next[i] + next[i + 1 < k_wave_bins ? i + 1 : i]) / 4;
    const double all = std::accumulate(f.begin(), f.end(), 0.0);
    for (double& share : f) share /= all;
  }
  return f;
}

std::vector<std::pair<std::uint64_t, double>> prefix_extending(std::span<const std::uint64_t> ids, std::size_t k,
                                                               double epsilon, Xoshiro& random) {
  const Olh olh(epsilon);
  const std::size_t groups = 1 + (k_id_bits - k_first_bits) / k_step_bits;
  std::vector<std::pair<std::uint64_t, double>> kept{{0, 1}};
  for (std::size_t group = 0; group < groups; ++group) {
    const std::uint32_t step = group == 0 ? k_first_bits : k_step_bits;
    const std::uint32_t bits = k_first_bits + static_cast<std::uint32_t>(group) * k_step_bits;
    std::vector<HashReport> reports;
    for (std::size_t d = group; d < ids.size(); d += groups)
      reports.push_back(olh.report(ids[d] >> (k_id_bits - bits), random));
    std::vector<std::pair<std::uint64_t, double>> scored;
    for (const auto& [prefix, unused] : kept) {
      for (std::uint64_t child = 0; child < std::uint64_t{1} << step; ++child) {
        const std::uint64_t word = prefix << step | child;
        scored.emplace_back(word, olh.share(reports, word));
      }
    }
    const std::size_t most = std::min(scored.size(), group + 1 == groups ? k : 2 * k);
    std::ranges::partial_sort(scored, scored.begin() + static_cast<std::ptrdiff_t>(most), std::ranges::greater{},
                              [](const auto& one) { return one.second; });
    scored.resize(most);
    kept = std::move(scored);
  }
  return kept;
}

}  // namespace sotto::cli
