// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/synthetic_world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "normal_table.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_full_scale = 32767;
constexpr std::uint64_t k_coefficient_stream = ~std::uint64_t{0};  // no device has this number
constexpr std::uint64_t k_level_stream = 0x6c6576656c;
constexpr std::uint32_t k_correlated = 50;  // so many features of Design::correlated

/// Rounds to nearest, within -32767 .. 32767. Adds an offset so that truncation rounds down: a branch on the sign of a
/// random number would be mispredicted every other time.
template <class Real>
Q15 clamped_q15(Real v) noexcept {
  constexpr Real k_largest = 32767;
  constexpr std::int32_t k_shift = 32768;
  v = std::min(std::max(v, -k_largest), k_largest);
  return static_cast<Q15>(static_cast<std::int32_t>(v + (k_shift + Real{0.5})) - k_shift);
}

/// Calls put(place, bits) for each of `count` places with its own 16 random bits, four from each word.
template <class Put>
void spread(Xoshiro& random, std::uint32_t count, Put put) {
  std::uint32_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const std::uint64_t word = random.word();
    put(j, word & 0xffff);
    put(j + 1, (word >> 16) & 0xffff);
    put(j + 2, (word >> 32) & 0xffff);
    put(j + 3, word >> 48);
  }
  if (j == count) return;
  for (std::uint64_t word = random.word(); j < count; ++j, word >>= 16) put(j, word & 0xffff);
}

}  // namespace

SyntheticWorld::SyntheticWorld(const SyntheticSpec& spec)
    : spec_(spec),
      feature_unit_(spec.design == Design::unit_ball && spec.task == Task::regression ? k_full_scale : spec.unit_q15),
      truth_(spec.features) {
  Xoshiro random(spec.seed, k_coefficient_stream);
  spec.effects.empty() ? draw_truth(random) : state_truth();
  level_truth_.resize(spec.levels.columns);
  for (std::uint32_t j = 0; j < spec.levels.nonzeros; ++j)
    level_truth_[j] = (random.word() >> 63 != 0 ? 1 : -1) * spec.levels.effect * spec.levels.spread;
  if (spec.misstated_offset != 0 || spec.misstated_scale != 1) {
    for (std::uint32_t j = 0; j <= spec.features; ++j) {
      const std::uint64_t word = random.word();
      const double unit = j < spec.features ? feature_unit_ : target_deviation() * target_unit();
      misstated_.emplace_back((word >> 63 != 0 ? unit : -unit) * spec.misstated_offset,
                              (word & 1) != 0 ? spec.misstated_scale : 1 / spec.misstated_scale);
    }
  }
  for (const float z : normal_table()) normal_q15_.push_back(clamped_q15(z * static_cast<float>(feature_unit_)));
}

void SyntheticWorld::state_truth() {
  truth_ = spec_.effects;
  for (std::uint32_t j = 0; j < spec_.features; ++j) {
    if (truth_[j] != 0) support_.push_back(j);
  }
}

void SyntheticWorld::draw_truth(Xoshiro& random) {
  const SyntheticSpec& spec = spec_;
  std::set<std::uint32_t> taken;  // Floyd's subset: `nonzeros` draws, whatever the number of features
  const std::uint32_t features = spec.features - spec.levels.columns;
  for (std::uint32_t j = features - spec.nonzeros; j < features; ++j) {
    if (!taken.insert(random.below(j + 1)).second) taken.insert(j);
  }
  support_.assign(taken.begin(), taken.end());

  double squares = 0;
  for (const std::uint32_t j : support_) {
    truth_[j] = spec.signal.kind == Signal::Kind::uniform ? random.unit() : spec.signal.value;
    squares += truth_[j] * truth_[j];
    if (spec.random_signs && random.word() >> 63) truth_[j] = -truth_[j];
  }
  if (spec.signal.kind == Signal::Kind::uniform && squares > 1) {
    for (const std::uint32_t j : support_) truth_[j] /= std::sqrt(squares);
  }
}

double SyntheticWorld::target_deviation() const {
  double variance = 0;
  for (const std::uint32_t i : support_) {
    for (const std::uint32_t j : support_) {
      const bool correlated = spec_.design == Design::correlated && i < k_correlated && j < k_correlated;
      const double covariance = i == j       ? 1
                                : correlated ? std::ldexp(1.0, -std::abs(static_cast<int>(i) - static_cast<int>(j)))
                                             : 0;
      variance += truth_[i] * truth_[j] * covariance;
    }
  }
  const double size = spec_.noise.size;
  switch (spec_.noise.kind) {
    case Noise::Kind::gaussian: variance += size * size; break;
    case Noise::Kind::uniform: variance += size * size / 3; break;
    case Noise::Kind::student: variance += size > 2 ? size / (size - 2) : 1; break;
  }
  return std::sqrt(variance) * link_deviation(spec_.link);
}

void SyntheticWorld::misstate(DeviceRows& rows) const {
  const std::size_t width = std::size_t{spec_.features} + 1;
  for (std::size_t i = 0; i < rows.numbers.size(); ++i) {
    const auto& [offset, factor] = misstated_[i % width];
    rows.numbers[i] = clamped_q15((rows.numbers[i] - offset) / factor);
  }
}

double SyntheticWorld::draw_noise(Xoshiro& random) const {
  const double size = spec_.noise.size;
  switch (spec_.noise.kind) {
    case Noise::Kind::gaussian: return size * static_cast<double>(normal_table()[random.word() >> 48]);
    case Noise::Kind::uniform: return size * (2 * random.unit() - 1);
    case Noise::Kind::student: break;
  }
  // Bailey's polar method, exact for any degrees of freedom: a table would cut off the tails that matter here.
  const double radius = 1 - random.unit(), angle = 2 * std::numbers::pi * random.unit();
  return std::sqrt(size * (std::pow(radius, -2 / size) - 1)) * std::cos(angle);
}

double SyntheticWorld::draw_target(Xoshiro& random, double fit) const {
  if (spec_.link == TargetLink::logistic) return random.unit() < link_value(spec_.link, fit) ? 1 : -1;
  return link_value(spec_.link, fit) + draw_noise(random);
}

void SyntheticWorld::draw_features(Xoshiro& random, Q15* row) const {
  const Q15* const normal = normal_q15_.data();
  std::uint32_t done = 0;
  if (spec_.design == Design::rademacher) {
    const auto unit = static_cast<std::int32_t>(spec_.unit_q15);
    std::uint64_t word = 0;
    for (std::uint32_t j = 0; j < spec_.features; ++j, word >>= 1) {
      if (j % 64 == 0) word = random.word();
      row[j] = static_cast<Q15>((2 * static_cast<std::int32_t>(word & 1) - 1) * unit);
    }
    return;
  }
  if (spec_.design == Design::correlated) {
    // x_j = x_{j-1}/2 + sqrt(3/4) z_j: unit variance, covariance 2^-|i-j|.
    const float* const z = normal_table().data();
    const auto unit = static_cast<float>(feature_unit_), fresh = unit * std::sqrt(0.75f);
    done = std::min(spec_.features, k_correlated);
    float last = 0;
    spread(random, done, [&](std::uint32_t j, std::uint64_t bits) {
      last = j == 0 ? unit * z[bits] : 0.5f * last + fresh * z[bits];
      row[j] = clamped_q15(last);
    });
  }
  spread(random, spec_.features - done,
         [out = row + done, normal](std::uint32_t j, std::uint64_t bits) { out[j] = normal[bits]; });
}

// A normal vector has a uniform direction; the radius is the d-th root of a uniform number.
void SyntheticWorld::draw_unit_ball(Xoshiro& random, Q15* row) const {
  const float* const z = normal_table().data();
  const double radius = std::pow(random.unit(), 1.0 / spec_.features);
  Xoshiro same = random;  // generates the same numbers twice instead of storing them
  double squares = 0;
  spread(same, spec_.features, [&](std::uint32_t, std::uint64_t bits) {
    squares += static_cast<double>(z[bits]) * static_cast<double>(z[bits]);
  });
  const double scale = k_full_scale * radius / std::sqrt(squares);
  spread(random, spec_.features,
         [&](std::uint32_t j, std::uint64_t bits) { row[j] = clamped_q15(scale * static_cast<double>(z[bits])); });
}

// The mean is added before rounding, so that the noise dithers its fraction of a unit and the rows are unbiased.
void SyntheticWorld::draw_around_mean(Xoshiro& random, Q15* row) const {
  if (spec_.noise.kind != Noise::Kind::gaussian) {
    for (std::uint32_t j = 0; j < spec_.features; ++j) {
      row[j] = clamped_q15(feature_unit_ * (truth_[j] + draw_noise(random)));
    }
    return;
  }
  const float* const z = normal_table().data();
  const auto unit = static_cast<float>(feature_unit_), spread_of_one = unit * static_cast<float>(spec_.noise.size);
  spread(random, spec_.features, [&](std::uint32_t j, std::uint64_t bits) {
    row[j] = clamped_q15(unit * static_cast<float>(truth_[j]) + spread_of_one * z[bits]);
  });
}

double SyntheticWorld::draw_level(std::uint64_t device, std::span<Q15> columns) const {
  Xoshiro random(spec_.seed ^ k_level_stream, device);
  const auto normal = [&random] { return static_cast<double>(normal_table()[random.word() >> 48]); };
  const SyntheticLevels& levels = spec_.levels;
  double level = levels.spread * std::sqrt(1 - levels.nonzeros * levels.effect * levels.effect) * normal();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j] = clamped_q15(normal() * feature_unit_);
    level += level_truth_[j] * columns[j] / feature_unit_;
  }
  return level;
}

void SyntheticWorld::read(std::uint64_t device, DeviceRows& out) const {
  Xoshiro random(spec_.seed, device);
  const bool empty = random.unit() < spec_.empty;
  const std::uint32_t count = spec_.samples_low + random.below(spec_.samples_high - spec_.samples_low + 1);
  out.rows = empty ? 0 : count;
  out.numbers.resize(std::size_t{out.rows} * (spec_.features + 1));
  std::vector<Q15> constant(spec_.levels.columns);
  const double level = constant.empty() ? 0 : draw_level(device, constant);
  for (std::uint32_t r = 0; r < out.rows; ++r) {
    Q15* const row = out.numbers.data() + std::size_t{r} * (spec_.features + 1);
    if (spec_.task == Task::mean) {
      draw_around_mean(random, row);
      row[spec_.features] = 0;
      continue;
    }
    if (spec_.design == Design::unit_ball) {
      draw_unit_ball(random, row);
    } else {
      draw_features(random, row);
    }
    std::ranges::copy(constant, row + spec_.features - constant.size());
    double y = level * feature_unit_;
    for (const std::uint32_t j : support_) y += truth_[j] * row[j];
    row[spec_.features] = clamped_q15(draw_target(random, y / feature_unit_) * target_unit());
  }
  if (!misstated_.empty()) misstate(out);
}

}  // namespace sotto::analyzer
