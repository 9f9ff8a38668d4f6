// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Questions against doubles: the answer that is kept, and, through every randomizer, the mean that the analyzer recovers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "asked_question.hpp"
#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/hadamard_response.hpp"
#include "sotto/analyzer/aggregate/hemisphere.hpp"
#include "sotto/analyzer/aggregate/laplace.hpp"
#include "sotto/analyzer/aggregate/sphere_code.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/analyzer/aggregate/window.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/local/sign_projection.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "statistical_bounds.hpp"

namespace sotto::analyzer {
namespace {

using Vector = std::vector<double>;

constexpr std::uint32_t k_d = k_asked_features, k_m = k_asked_rows, k_all = 1;
constexpr std::int32_t k_one = 1 << 24;
constexpr std::size_t k_front = 40;  // bytes that a question keeps before its answer

double q24(std::int32_t v) { return v / 16777216.0; }

/// The rows of a device in doubles, and the references.
struct Rows {
  const AskedQuestion& asked;
  [[nodiscard]] double x(std::uint32_t i, std::uint32_t j) const { return asked.numbers[i * (k_d + 1) + j] / 32768.0; }
  [[nodiscard]] double y(std::uint32_t i) const { return x(i, k_d); }
  [[nodiscard]] double inner(std::uint32_t i, const Vector& theta) const {
    double sum = 0;
    for (std::uint32_t j = 0; j < k_d; ++j) sum += x(i, j) * theta[j];
    return sum;
  }
  [[nodiscard]] Vector theta() const {
    Vector out(k_d, 0.0);
    for (std::uint32_t k = 0; k < asked.round.model_size; ++k) {
      const ModelEntry e = model_entry(asked.round, k);
      out[e.feature] = q24(e.value_q24);
    }
    return out;
  }
  [[nodiscard]] double residual(std::uint32_t i, const Vector& theta) const {
    const double u = inner(i, theta);
    if (asked.round.link == 1) return 1 / (1 + std::exp(-u)) - (y(i) > 0 ? 1 : 0);
    return u - y(i);
  }
  [[nodiscard]] Vector gradient(std::uint32_t first, std::uint32_t rows, double m, const Vector& theta) const {
    Vector out(k_d, 0.0);
    const double bound = asked.round.parameter[1] / 16777216.0;
    for (std::uint32_t i = first; i < first + rows; ++i) {
      const double rho = std::clamp(residual(i, theta), -bound, bound);
      for (std::uint32_t j = 0; j < k_d; ++j) out[j] += rho * x(i, j) / m;
    }
    return out;
  }
  [[nodiscard]] std::uint32_t chosen() { return chosen_row(const_cast<AskedQuestion&>(asked).asked(true).label, k_m); }
};

/// On the model's features, where the scope says so.
Vector in_scope(const AskedQuestion& asked, const Vector& all, std::uint32_t scope) {
  if (scope == k_all) return all;
  Vector out;
  for (std::uint32_t k = 0; k < asked.round.model_size; ++k) out.push_back(all[model_entry(asked.round, k).feature]);
  return out;
}

/// g pulled into the ball of radius r, over r, and the coordinate that makes its length 1.
Vector lifted(Vector g, double r) {
  double square = 0;
  for (const double v : g) square += v * v;
  const double scale = std::max(r, std::sqrt(square));
  for (double& v : g) v /= scale;
  g.push_back(std::sqrt(std::max(0.0, 1 - square / (scale * scale))));
  return g;
}

Vector kept_unit(const AskedQuestion& asked, std::size_t size) {
  const Q15* const unit = asked.kept<Q15>(k_front);
  Vector out;
  for (std::size_t j = 0; j < size; ++j) out.push_back(unit[j] / 32768.0);
  return out;
}

void expect_near(const Vector& wanted, const Vector& found, double tolerance) {
  ASSERT_EQ(wanted.size(), found.size());
  for (std::size_t j = 0; j < wanted.size(); ++j) EXPECT_NEAR(wanted[j], found[j], tolerance) << j;
}

/// All but the last coordinate, which the analyzer drops and which takes what rounding takes from the others; the length is 1.
void expect_lifted(Vector wanted, Vector found, double tolerance) {
  double square = 0;
  for (const double v : found) square += v * v;
  EXPECT_NEAR(square, 1, 0.0005);
  wanted.pop_back();
  found.pop_back();
  expect_near(wanted, found, tolerance);
}

/// Least squares of y - X theta on two features, by Cramer's rule.
Vector least_squares_of_two(const Rows& rows, std::uint32_t a, std::uint32_t b, double ridge) {
  const Vector theta = rows.theta();
  double aa = ridge, ab = 0, bb = ridge, ar = 0, br = 0;
  for (std::uint32_t i = 0; i < k_m; ++i) {
    const double r = rows.y(i) - rows.inner(i, theta), xa = rows.x(i, a), xb = rows.x(i, b);
    aa += xa * xa;
    ab += xa * xb;
    bb += xb * xb;
    ar += xa * r;
    br += xb * r;
  }
  const double det = aa * bb - ab * ab;
  return {(bb * ar - ab * br) / det, (aa * br - ab * ar) / det};
}

/// The answer of `question` as a lifted vector, whatever the randomizer.
Vector lifted_answer(AskedQuestion& asked, const Question& question, std::uint32_t size) {
  asked.through(HemisphereSpec{.dimension = size + 1});
  EXPECT_EQ(asked.answer(question, asked.hooked(), 1).size(), 1u);
  return kept_unit(asked, size + 1);
}

TEST(Questions, DirectionsAnswerWhatDoublesAnswer) {
  AskedQuestion asked;
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    asked.model({{1, k_one / 3}, {4, -k_one / 5}});
    const Vector theta = rows.theta();
    const double r = 0.25;
    const std::uint32_t radius = k_one / 4;
    for (std::uint32_t scope = 0; scope < 2; ++scope) {
      const std::uint32_t size = scope == k_all ? k_d : 2;
      for (asked.round.link = 0; asked.round.link < 2; ++asked.round.link) {
        asked.ask(Recipe::gradient, {radius, 2 * k_one, 0, 0, scope});
        expect_lifted(lifted(in_scope(asked, rows.gradient(0, k_m, k_m, theta), scope), r),
                      lifted_answer(asked, k_direction, size), 0.001);
        asked.ask(Recipe::row_gradient, {radius, 2 * k_one, 0, 0, scope});
        expect_lifted(lifted(in_scope(asked, rows.gradient(rows.chosen(), 1, 1, theta), scope), r),
                      lifted_answer(asked, k_direction, size), 0.001);
      }
      asked.round.link = 0;
      asked.ask(Recipe::means, {radius, 0, 0, 0, scope});
      Vector means(k_d, 0.0);
      for (std::uint32_t j = 0; j < k_d; ++j) {
        for (std::uint32_t i = 0; i < k_m; ++i) means[j] += (rows.x(i, j) - theta[j]) / k_m;
      }
      expect_lifted(lifted(in_scope(asked, means, scope), r), lifted_answer(asked, k_direction, size), 0.001);
    }
    asked.ask(Recipe::least_squares, {16 * radius, 1u << 16});
    expect_lifted(lifted(least_squares_of_two(rows, 1, 4, k_m / 256.0), 4), lifted_answer(asked, k_direction, 2),
                  0.002);

    asked.ask(Recipe::scores, {k_one});
    Vector cubes(k_d);
    double square = 0;
    for (std::uint32_t j = 0; j < k_d; ++j) {
      double product = 0, length = 0.1 * k_m / 16;
      for (std::uint32_t i = 0; i < k_m; ++i) {
        product += rows.x(i, j) * (rows.y(i) - rows.inner(i, theta));
        length += rows.x(i, j) * rows.x(i, j);
      }
      cubes[j] = std::pow(product / std::sqrt(length), 3);
      square += cubes[j] * cubes[j];
    }
    for (double& c : cubes) c /= std::sqrt(square);
    Vector found = lifted_answer(asked, k_direction, k_d);
    found.pop_back();
    expect_near(cubes, found, 0.001);
  }
}

TEST(Questions, MomentsAndUpdatesAnswerWhatDoublesAnswer) {
  AskedQuestion asked;
  for (std::uint64_t seed = 120; seed < 130; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    asked.ask(Recipe::packed, {k_one / 4, 0, 0, 0, k_all});
    Vector packed;
    const std::uint32_t row = rows.chosen();
    for (std::uint32_t i = 0; i < k_d; ++i) {
      for (std::uint32_t j = i; j < k_d; ++j) packed.push_back(rows.x(row, i) * rows.x(row, j));
    }
    for (std::uint32_t j = 0; j < k_d; ++j) packed.push_back(rows.x(row, j) * rows.y(row));
    expect_lifted(lifted(packed, 0.25), lifted_answer(asked, k_moments, 27), 0.001);

    asked.model({{1, k_one / 3}, {4, -k_one / 5}});
    asked.ask(Recipe::steps, {k_one / 4, 2 * k_one, 0, 0, k_one / 2, 3 | 3u << 16});
    const Vector broadcast = rows.theta();
    Vector theta = broadcast;
    for (int step = 0; step < 3; ++step) {
      const Vector g = rows.gradient(0, k_m, k_m, theta);
      for (std::uint32_t j = 0; j < k_d; ++j) theta[j] -= g[j] / 2;
      Vector sizes;
      for (const double v : theta) sizes.push_back(std::abs(v));
      std::sort(sizes.rbegin(), sizes.rend());
      for (double& v : theta) v = std::abs(v) >= sizes[2] ? v : 0;
    }
    for (std::uint32_t j = 0; j < k_d; ++j) theta[j] -= broadcast[j];
    expect_lifted(lifted(theta, 0.25), lifted_answer(asked, k_update, k_d), 0.001);

    // The same on a grid of 100 steps.
    asked.through(GaussianSpec{.radius = 100, .dimension = k_d});
    ASSERT_EQ(asked.check(k_update_noisy), Status::ok);
    SeededEntropy entropy{seed};
    PrivateCoins coins;
    ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
    k_update_noisy.prepare(asked.asked(false), {asked.hooked(), 0}, coins);
    Vector wanted = lifted(theta, 0.25), found;
    wanted.pop_back();
    for (double& v : wanted) v *= 100;
    for (std::uint32_t j = 0; j < k_d; ++j) found.push_back(asked.kept<std::int32_t>(k_front)[j]);
    expect_near(wanted, found, 2.5);
  }
}

/// The rotated vector, all coordinates, in doubles.
Vector rotated(const CoinLabel& label, const Vector& v) {
  const std::uint32_t size = rotated_size(static_cast<std::uint32_t>(v.size()));
  PublicCoins signs = rotation_signs(label);
  const std::uint32_t bits = signs.word();
  Vector out(size, 0.0);
  for (std::uint32_t j = 0; j < size; ++j) {
    for (std::uint32_t i = 0; i < v.size(); ++i) out[j] += ((parity(i & j) ^ bits >> i) & 1u) != 0 ? -v[i] : v[i];
    out[j] /= std::sqrt(size);
  }
  return out;
}

TEST(Questions, ValuesAndBinsAnswerTheRotatedCoordinate) {
  AskedQuestion asked;
  constexpr std::int32_t k_low = -k_one / 8, k_high = k_one / 16;
  for (std::uint64_t seed = 140; seed < 200; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    const Rows rows{asked};
    if (seed % 2 == 0) asked.model({{0, 0}, {4, -k_one / 5}});
    const std::uint32_t scope = seed % 2 == 0 ? 0 : k_all;
    asked.ask(Recipe::gradient, {0, 2 * k_one, 0, 0, scope});
    asked.pairs({{k_low, k_high}});
    const CoinLabel label = asked.asked(true).label;
    const Vector all = rotated(label, in_scope(asked, rows.gradient(0, k_m, k_m, rows.theta()), scope));
    const double v = all[chosen_coordinate(label, scope == k_all ? k_d : 2)];
    const double way = std::clamp((v - q24(k_low)) / (q24(k_high) - q24(k_low)), 0.0, 1.0);
    asked.through(WindowSpec{.outcomes = 5, .width = 2});
    ASSERT_FALSE(asked.answer(k_value, asked.hooked(), 1).empty());
    EXPECT_NEAR(2 * way - 1, *asked.kept<std::int32_t>(k_front) / 32768.0, 0.001);
    asked.through(GrrSpec{.categories = 20});
    ASSERT_FALSE(asked.answer(k_bin, asked.hooked(), 1).empty());
    EXPECT_NEAR(std::min(std::floor(way * 20), 19.0), *asked.kept<std::uint32_t>(k_front),
                std::abs(way * 20 - std::round(way * 20)) < 0.01 ? 1.0 : 0.0);
  }
}

TEST(Questions, TheRotationKeepsLengthsAndIsTheSameInEveryRound) {
  AskedQuestion asked;
  asked.begin(201);
  const Vector v = {0.3, -0.2, 0.9, 0.1, -0.7, 0.05};
  const Vector first = rotated(asked.asked(true).label, v);
  asked.round.number = 9;
  asked.pseudonym = 77;
  expect_near(first, rotated(asked.asked(true).label, v), 0);
  double before = 0, after = 0;
  for (const double c : v) before += c * c;
  for (const double c : first) after += c * c;
  EXPECT_NEAR(before, after, 1e-12);
}

/// What a noisy question keeps before its noise.
Vector kept_grid(AskedQuestion& asked, const Question& question) {
  EXPECT_EQ(asked.check(question), Status::ok);
  SeededEntropy entropy{1};
  PrivateCoins coins;
  EXPECT_EQ(coins.begin_report(entropy.source()), Status::ok);
  question.prepare(asked.asked(false), {asked.hooked(), 0}, coins);
  Vector out;
  for (std::uint32_t j = 0; j < asked.round.spec[2]; ++j) out.push_back(asked.kept<std::int32_t>(k_front)[j]);
  return out;
}

/// z on a grid: the ball of radius r becomes that of `steps`.
Vector on_grid(Vector z, double r, double steps) {
  z = lifted(z, r);
  z.pop_back();
  for (double& v : z) v *= steps;
  return z;
}

TEST(Questions, SketchesAndSynopsesLieInTheirBalls) {
  AskedQuestion asked;
  for (std::uint64_t seed = 210; seed < 230; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    const CoinLabel label = asked.asked(true).label;
    const std::uint32_t row = rows.chosen();
    const double target = std::clamp(rows.y(row), -0.25, 0.25) * 4 * 300;
    const double r = seed % 2 == 0 ? 0.25 : 1;  // clips often, and never
    const auto radius = static_cast<std::uint32_t>(r * k_one);
    asked.through(GaussianSpec{.radius = 500, .dimension = 9});

    Vector z(8, 0.0);
    for (std::uint32_t i = 0; i < k_d; ++i) {
      std::int8_t signs[8];
      ASSERT_EQ(sign_projection_column(label, i, signs), Status::ok);
      for (int j = 0; j < 8; ++j) z[static_cast<std::size_t>(j)] += signs[j] * rows.x(row, i) / std::sqrt(8);
    }
    asked.ask(Recipe::projection, {radius, 400, 300, 8192, 0});
    Vector wanted = on_grid(z, r, 400);
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_sketch), 8);

    z.assign(8, 0.0);
    for (std::uint32_t i = 0; i < k_d; ++i) {
      std::int8_t signs[8];
      std::vector<std::byte> work(hadamard_project_work_bytes(32));
      ASSERT_EQ(hadamard_projection_column(label, 32, i, work, signs), Status::ok);
      for (int j = 0; j < 8; ++j) z[static_cast<std::size_t>(j)] += signs[j] * rows.x(row, i) / std::sqrt(8);
    }
    asked.ask(Recipe::hadamard, {radius, 400, 300, 8192, 32});
    wanted = on_grid(z, r, 400);
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_sketch), 8);

    std::int32_t features[8];
    ASSERT_EQ(fourier_features({label, 1u << 16}, asked.mapped(), row, features), Status::ok);
    for (std::size_t j = 0; j < 8; ++j) z[j] = q24(features[j]);
    asked.ask(Recipe::fourier, {k_fourier_radius_q24, 400, 300, 8192, 1u << 16});
    wanted = on_grid(z, std::numbers::sqrt2, 400);
    wanted.push_back(target);
    const Vector kept = kept_grid(asked, k_sketch);
    expect_near(wanted, kept, 8);
    double square = 0;
    for (const double v : kept) square += v * v;
    EXPECT_LE(square, 500 * 500);

    asked.through(GaussianSpec{.radius = 500, .dimension = 4 * k_d + 1});
    asked.ask(Recipe::copies, {radius, 200, 300, 8192, 4, k_all});
    Vector x;
    for (std::uint32_t j = 0; j < k_d; ++j) x.push_back(rows.x(row, j));
    x = on_grid(x, r, 200);
    wanted.clear();
    for (int copy = 0; copy < 4; ++copy) wanted.insert(wanted.end(), x.begin(), x.end());
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_synopsis), 6);
  }
}

// From here on: many devices with the same rows and different public and private coins, alpha = k_alpha for each test.

std::uint32_t number_in(std::span<const std::uint8_t> payload) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < payload.size(); ++i) v |= std::uint32_t{payload[i]} << (8 * i);
  return v;
}

std::vector<std::int32_t> numbers_in(std::span<const std::uint8_t> payload) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i + 2 < payload.size(); i += 3) {
    const std::uint32_t v = number_in(payload.subspan(i, 3));
    out.push_back(static_cast<std::int32_t>(v << 8) >> 8);
  }
  return out;
}

template <class Spec>
Spec derived_spec(const AskedQuestion& asked, Spec spec) {
  spec.epsilon = asked.manifest.epsilon;
  if constexpr (requires { spec.delta; }) spec.delta = asked.manifest.delta;
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

template <class Each>
void ask_devices(AskedQuestion& asked, const Question& question, std::uint32_t devices, Each each) {
  for (std::uint32_t device = 1; device <= devices; ++device) {
    asked.pseudonym = device;
    const std::span<const std::uint8_t> payload = asked.answer(question, asked.mapped(), 1000000 + device);
    ASSERT_FALSE(payload.empty());
    each(asked.asked(true).label, payload);
  }
}

template <class Aggregate, class Spec>
void expect_direction(AskedQuestion& asked, const Spec& spec, const Vector& wanted, double bias) {
  asked.through(spec);
  auto opened = Aggregate::open(derived_spec(asked, spec));
  ASSERT_TRUE(opened.ok());
  Aggregate aggregate = opened.value();
  ask_devices(asked, k_direction, 20000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(aggregate.absorb(label, number_in(payload)));
  });
  const VectorMean mean = aggregate.close();
  for (std::size_t j = 0; j < wanted.size(); ++j)
    EXPECT_NEAR(mean.mean[j], wanted[j], two_sided_z(3.0 * k_d) * mean.standard_error[j] + bias * std::abs(wanted[j]))
        << j;
}

TEST(Questions, MeansOfDirectionsAreRecovered) {
  AskedQuestion asked;
  asked.begin(300);
  const Rows rows{asked};
  asked.ask(Recipe::gradient, {k_one / 16, 2 * k_one, 0, 0, k_all});
  const Vector wanted = lifted(rows.gradient(0, k_m, k_m, rows.theta()), 1.0 / 16);
  expect_direction<CrossPolytopeAggregate>(asked, CrossPolytopeSpec{.log2_size = 6, .dimension = k_d + 1, .closest = 8},
                                           wanted, 0.006);
  expect_direction<SphereCodeAggregate>(asked, SphereCodeSpec{.dimension = k_d + 1, .codewords = 128, .closest = 16},
                                        wanted, 0.006);
  expect_direction<HemisphereAggregate>(asked, HemisphereSpec{.dimension = k_d + 1}, wanted, 0.006);
}

TEST(Questions, MeansOfLabelsAreRecovered) {
  AskedQuestion asked;
  asked.begin(301);
  Rows rows{asked};
  asked.ask(Recipe::target, {16384});
  const WindowSpec window = derived_spec(asked, WindowSpec{.outcomes = 5, .width = 2});
  const LaplaceSpec laplace = derived_spec(asked, LaplaceSpec{.radius = 256});
  const GaussianSpec gaussian = derived_spec(asked, GaussianSpec{.radius = 256, .dimension = 1});
  WindowAggregate windows = WindowAggregate::open(window).value();
  LaplaceAggregate laplaces = LaplaceAggregate::open(laplace).value();
  GaussianAggregate gaussians = GaussianAggregate::open(gaussian).value();
  double wanted = 0;
  constexpr std::uint32_t k_devices = 30000;
  asked.through(window);
  ask_devices(asked, k_label, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    wanted += 2 * rows.y(rows.chosen()) / k_devices;
    ASSERT_TRUE(windows.absorb(number_in(payload)));
  });
  asked.through(laplace);
  ask_devices(asked, k_label, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(laplaces.absorb(number_in(payload)));
  });
  asked.through(gaussian);
  ask_devices(asked, k_label_noisy, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(gaussians.absorb(numbers_in(payload)));
  });
  const double z = two_sided_z(3), rounding = 0.5 / 256;
  EXPECT_NEAR(windows.close().mean, wanted, z * windows.close().standard_error);
  EXPECT_NEAR(laplaces.close().mean / 256, wanted, z * laplaces.close().standard_error / 256 + rounding);
  EXPECT_NEAR(gaussians.close()[0].mean / 256, wanted, z * gaussians.close()[0].standard_error / 256 + rounding);
}

TEST(Questions, RotatedValuesGiveTheVectorBack) {
  AskedQuestion asked;
  asked.begin(302);
  const Rows rows{asked};
  asked.ask(Recipe::gradient, {0, 2 * k_one, 0, 0, k_all});
  asked.pairs({{-k_one / 8, k_one / 8}});
  const WindowSpec window = derived_spec(asked, WindowSpec{.outcomes = 2, .width = 1});
  asked.through(window);
  std::vector<WindowAggregate> coordinate(8, WindowAggregate::open(window).value());
  ask_devices(asked, k_value, 40000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(coordinate[chosen_coordinate(label, k_d)].absorb(number_in(payload)));
  });
  // Signs and the transform undo themselves.
  PublicCoins signs = rotation_signs(asked.asked(true).label);
  const std::uint32_t bits = signs.word();
  const Vector wanted = rows.gradient(0, k_m, k_m, rows.theta());
  for (std::uint32_t i = 0; i < 8; ++i) {
    double v = 0, variance = 0;
    for (std::uint32_t j = 0; j < 8; ++j) {
      const ScalarMean mean = coordinate[j].close();
      v += (((parity(i & j) ^ bits >> i) & 1u) != 0 ? -1 : 1) * mean.mean / 8 / std::sqrt(8);
      variance += std::pow(mean.standard_error / 8, 2) / 8;
    }
    EXPECT_NEAR(v, i < k_d ? wanted[i] : 0, two_sided_z(8) * std::sqrt(variance)) << i;
  }
}

TEST(Questions, BinsAreCounted) {
  AskedQuestion asked;
  asked.begin(303);
  asked.ask(Recipe::row_gradient, {0, 2 * k_one, 0, 0, k_all});
  asked.pairs({{-k_one / 4, k_one / 4}});
  constexpr std::uint32_t k_bins = 10, k_devices = 30000;
  const GrrSpec grr = derived_spec(asked, GrrSpec{.categories = k_bins});
  const WalshHashSpec hash = derived_spec(asked, WalshHashSpec{.categories = k_bins, .bits = 3});
  const HadamardResponseSpec response = derived_spec(asked, HadamardResponseSpec{.log2_size = 4, .categories = k_bins});
  GrrAggregate grrs = GrrAggregate::open(grr).value();
  WalshHashAggregate hashes = WalshHashAggregate::open(hash).value();
  HadamardResponseAggregate responses = HadamardResponseAggregate::open(response).value();
  Vector wanted(k_bins, 0.0);
  asked.through(grr);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    wanted[*asked.kept<std::uint32_t>(k_front)] += 1;
    ASSERT_TRUE(grrs.absorb(number_in(payload)));
  });
  asked.through(hash);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(hashes.absorb(label, number_in(payload)));
  });
  asked.through(response);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(responses.absorb(number_in(payload)));
  });
  EXPECT_GT(std::count_if(wanted.begin(), wanted.end(), [](double c) { return c > 0; }), 3);
  const CategoryCounts counts[3] = {grrs.close(), hashes.close(), responses.close()};
  for (const CategoryCounts& c : counts) {
    for (std::uint32_t b = 0; b < k_bins; ++b)
      EXPECT_NEAR(c.count[b], wanted[b], two_sided_z(3.0 * k_bins) * c.standard_error[b]) << b;
  }
}

TEST(Questions, SignBlocksGiveTheGradientBack) {
  AskedQuestion asked;
  asked.begin(304);
  for (std::uint32_t i = 0; i < k_m * (k_d + 1); ++i) {
    if (i % (k_d + 1) != k_d) asked.numbers[i] = asked.numbers[i] < 0 ? Q15{-32768} : Q15{32767};
  }
  Rows rows{asked};
  asked.model({{1, k_one / 8}, {4, -k_one / 16}});
  asked.ask(Recipe::signs, {k_one / 2, k_all});
  const BlockSpec block = derived_spec(asked, BlockSpec{.width = 4, .flips = 1});
  asked.through(block);
  BlockAggregate blocks = BlockAggregate::open(block, k_d).value();
  Vector wanted(k_d, 0.0), held(k_d, 0.0);
  ask_devices(asked, k_block, 60000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(blocks.absorb(label, number_in(payload)));
    const std::uint32_t row = rows.chosen();
    const double r = std::clamp(rows.y(row) - rows.inner(row, rows.theta()), -0.5, 0.5) / 0.5;
    std::uint32_t coordinates[4];
    block_coordinates(label, k_d, coordinates);
    for (const std::uint32_t j : coordinates) {
      wanted[j] += rows.x(row, j) * r;
      held[j] += 1;
    }
  });
  const VectorMean mean = blocks.close();
  for (std::uint32_t j = 0; j < k_d; ++j)
    EXPECT_NEAR(mean.mean[j], wanted[j] / held[j], two_sided_z(k_d) * mean.standard_error[j] + 0.0001) << j;
}

TEST(Questions, NoisyVectorsAreRecovered) {
  AskedQuestion asked;
  asked.begin(305);
  asked.manifest.nominal_rows = 1;
  const Rows rows{asked};
  const GaussianSpec gaussian = derived_spec(asked, GaussianSpec{.radius = 500, .dimension = 2 * k_d + 1});
  asked.through(gaussian);
  asked.ask(Recipe::copies, {2 * k_one, 280, 300, 16384, 2, k_all});
  GaussianAggregate aggregate = GaussianAggregate::open(gaussian).value();
  ask_devices(asked, k_synopsis, 5000, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(aggregate.absorb(numbers_in(payload)));
  });
  const std::vector<ScalarMean> mean = aggregate.close();
  for (std::uint32_t j = 0; j <= 2 * k_d; ++j) {
    const double wanted = j < 2 * k_d ? rows.x(0, j % k_d) / 2 * 280 : rows.y(0) * 2 * 300;
    EXPECT_NEAR(mean[j].mean, wanted, two_sided_z(2 * k_d + 1) * mean[j].standard_error + 0.51) << j;
  }
}

}  // namespace
}  // namespace sotto::analyzer
