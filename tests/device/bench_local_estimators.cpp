// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of the local estimators on one data set that lies in flash:
//   count <name> <mean> <max>
// 100 rows of 64 features, bell-shaped with standard deviation 1/4; the target is a sum of eight of them and noise.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bench_support.hpp"
#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/bytes.hpp"
#include "sotto/local/gradient.hpp"
#include "sotto/local/hard_threshold.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/lift.hpp"
#include "sotto/local/mean.hpp"
#include "sotto/local/screen.hpp"
#include "sotto/local/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/spec/window.hpp"
#include "sotto/wide.hpp"

using namespace sotto;

namespace {

constexpr std::uint32_t k_rows = 100, k_features = 64, k_stride = k_features + 1;

constexpr std::array<Q15, k_rows * k_stride> make_samples() {
  std::array<Q15, k_rows * k_stride> samples{};
  std::uint32_t state = 1;
  const auto bell = [&state] {
    std::int32_t sum = 0;
    for (int i = 0; i < 4; ++i) {
      state = state * 1664525u + 1013904223u;
      sum += static_cast<std::int32_t>(state >> 18) - 8192;
    }
    return sum * 28 / 32;
  };
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    std::int32_t target = bell();
    for (std::uint32_t j = 0; j < k_features; ++j) {
      const std::int32_t x = bell();
      samples[i * k_stride + j] = static_cast<Q15>(x);
      if (j % 8 == 0) target += (j & 8u) != 0 ? x / 5 : -x / 5;
    }
    samples[i * k_stride + k_features] = static_cast<Q15>(target > 32767 ? 32767 : target < -32768 ? -32768 : target);
  }
  return samples;
}

constexpr std::array<Q15, k_rows* k_stride> k_samples = make_samples();
constexpr std::uint16_t k_chosen[32] = {0, 8,  16, 24, 32, 40, 48, 56, 1, 9,  17, 25, 33, 41, 49, 57,
                                        2, 10, 18, 26, 34, 42, 50, 58, 3, 11, 19, 27, 35, 43, 51, 59};
constexpr std::int32_t k_centre[8] = {-3000000, 3000000, -3000000, 3000000, -3000000, 3000000, -3000000, 3000000};
constexpr Samples k_mapped{k_rows, k_features, k_samples.data(), k_stride, nullptr, nullptr};
constexpr Samples k_one_row{1, k_features, k_samples.data() + 7 * k_stride, k_stride, nullptr, nullptr};

// The same with smaller numbers and a reading far beyond four standard deviations in every column.
constexpr std::array<Q15, k_rows * k_stride> make_far_samples() {
  std::array<Q15, k_rows* k_stride> samples = k_samples;
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    for (std::uint32_t j = 0; j < k_stride; ++j) {
      Q15& x = samples[i * k_stride + j];
      x = static_cast<Q15>(i == j % k_rows ? 20000 : x / 8);
    }
  }
  return samples;
}
constexpr std::array<Q15, k_rows* k_stride> k_far_samples = make_far_samples();

constexpr Samples in_own_units(const Q15* rows) {
  Samples samples{{k_rows, k_features, rows, k_stride, nullptr, nullptr}};
  samples.units = RowUnits::own;
  return samples;
}
constexpr Samples k_own = in_own_units(k_samples.data()), k_far = in_own_units(k_far_samples.data());

// Not a link of any use: the cost does not depend on the numbers.
constexpr std::array<LinkPoint, k_link_points_max> make_link() {
  std::array<LinkPoint, k_link_points_max> points{};
  for (int k = 0; k < 65; ++k) points[static_cast<std::size_t>(k)] = {(k - 32) << 18, 1 << 20};
  return points;
}
constexpr std::array<LinkPoint, k_link_points_max> k_points = make_link();

std::int32_t numbers[1024];
std::byte work[least_squares_work_bytes(32)];
alignas(8) std::byte question_work[1024];
Q15 copy[k_rows * 9];
std::uint16_t offsets[8];

ColumnView first_columns(std::size_t count) {
  return {k_samples.data(), k_stride, k_rows, std::span{k_chosen}.first(count), k_samples.data() + k_features};
}

void count_least_squares(const char* name, std::size_t columns, const std::int32_t* centre) {
  const LeastSquaresSpec spec{.nominal_rows = k_rows};
  const ColumnView view = first_columns(columns);
  count_calls(name, [&] { least_squares(spec, view, centre, work, {numbers, columns}); });
}

void count_gradients() {
  const SparseModel at{std::span{k_chosen}.first(8), k_centre};
  GradientSpec spec{.link = {}, .nominal_rows = k_rows, .bound_q24 = 2 << 24};
  const std::span<std::int32_t> all{numbers, k_features};
  count_calls("gradient_100x64", [&] { gradient(spec, k_mapped, at, {}, work, all); });
  count_calls("gradient_100x8_chosen", [&] {
    gradient(spec, k_mapped, at, std::span{k_chosen}.first(8), work, {numbers, 8});
  });
  GradientSpec one = spec;
  one.nominal_rows = 1;
  count_calls("gradient_one_row_64", [&] { gradient(one, k_one_row, at, {}, work, all); });
  const UpdateSpec steps{.gradient = spec, .steps = 3, .keep = 8, .step_q24 = 8 << 24, .radius_q24 = 1 << 24};
  count_calls("update_100x64_3_steps", [&] { update(steps, k_mapped, at, work, all); });
  spec.link.kind = LinkKind::logistic;
  count_calls("gradient_logistic_100x64", [&] { gradient(spec, k_mapped, at, {}, work, all); });
  spec.link = {LinkKind::table, {-(8 << 24), 22, link_points(k_points)}};
  count_calls("gradient_table_100x64", [&] { gradient(spec, k_mapped, at, {}, work, all); });
  count_calls("means_100x64", [&] { column_means(k_rows, k_mapped, {}, {}, nullptr, all); });
}

// What devices with their own units add: to screening, where no reading is clipped and where one in every column is, to
// least squares, and the question that validates a model.
void count_own_units() {
  static ScreenedColumn best[8];
  constexpr ScreenSpec spec{k_rows, 8192};
  count_calls("screen_100x64", [&] { screen(spec, k_mapped, {}, work, best); });
  count_calls("screen_own_100x64", [&] { screen(spec, k_own, {}, work, best); });
  count_calls("screen_own_clipped_100x64", [&] { screen(spec, k_far, {}, work, best); });
  count_calls("least_squares_own_100x8", [&] {
    const ColumnView view = gather_columns(k_own, std::span{k_chosen}.first(8), offsets, copy);
    least_squares({.nominal_rows = k_rows}, view, nullptr, work, {numbers, 8});
  });
}

void count_gain(const char* name, std::uint32_t classes) {
  static std::uint8_t model[8 * 6];
  ByteWriter writer{model};
  for (std::uint16_t k = 0; k < 8; ++k) {
    writer.u16(static_cast<std::uint16_t>(8 * k));
    writer.u32(static_cast<std::uint32_t>(k_centre[k]));
  }
  static Asked asked;
  asked.work = question_work;
  asked.label = bench_label();
  asked.mapped = true;
  asked.manifest.features = k_features;
  asked.manifest.nominal_rows = k_rows;
  asked.manifest.unit_q15 = 8192;
  asked.manifest.units = RowUnits::own;
  asked.manifest.epsilon = k_epsilon_one;
  asked.round.recipe = Recipe::gain;
  asked.round.parameter[recipe::gain::bound] = 32768;
  asked.round.parameter[recipe::gain::measure] = classes;
  asked.round.model = model;
  asked.round.model_size = 8;
  WindowSpec spec{};
  spec.epsilon = k_epsilon_one;
  spec.outcomes = 64;
  spec.width = 16;
  must_be_ok(derive(spec));
  std::uint8_t bytes[32] = {};
  ByteWriter fields{bytes};
  encode_fields(spec, fields);
  asked.round.stem = Stem::window;
  for (std::size_t i = 0; i < k_spec_fields; ++i) asked.round.spec[i] = load_u32(bytes + 4 * i);
  must_be_ok(k_value.check(asked));
  PreparedEntropy entropy{1};
  PrivateCoins coins;
  must_be_ok(coins.begin_report(entropy.source()));
  count_calls(name, [&] { k_value.prepare(asked, {k_own, 0}, coins); });
}

void fill_numbers() {
  for (std::uint32_t j = 0; j < 1024; ++j) numbers[j] = static_cast<std::int32_t>(j * 2654435761u) >> 4;
}

/// Places of private readings are quotients: each takes as many instructions as any other.
void count_divisions() {
  Counts counts;
  for (std::uint32_t i = 0; i < 64; ++i) {
    // Volatile, so that no part of their own making is counted.
    volatile std::uint64_t n = 0x9e3779b97f4a7c15u * i >> i, d = (0xd1342543de82ef95u * (i + 1) >> (1 + i)) | 1u;
    volatile std::uint64_t quotient = 0;
    board_count_start();
    quotient = divide_floor(n, d);
    counts.add(board_count());
    static_cast<void>(quotient);
  }
  print_counts("divide_floor", counts);
  board_puts("constant divide_floor ");
  board_put_u32(counts.most - counts.least);
  board_puts("\n");
}

void count_pieces() {
  static Q15 unit[49];
  fill_numbers();
  count_calls("lift_8", [&] { lift({numbers, 8}, 1u << 24, unit); });
  count_calls("lift_48", [&] { lift({numbers, 48}, 1u << 24, unit); });
  count_calls(
      "norm_clip_q24_64",
      [&] {
        norm_clip_q24({numbers, 64}, 1u << 24);
      },
      fill_numbers);
  count_calls(
      "hard_threshold_64_of_1024",
      [&] {
        hard_threshold({numbers, 1024}, 64);
      },
      fill_numbers);
  volatile std::int32_t u = 12345678;
  count_calls("logistic_q24", [&] { u = logistic_q24(u); });
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count_divisions();
  count_least_squares("least_squares_100x8", 8, nullptr);
  count_least_squares("least_squares_around_100x8", 8, k_centre);
  count_least_squares("least_squares_100x32", 32, nullptr);
  count_gradients();
  count_own_units();
  count_gain("gain_100x8", 0);
  count_gain("gain_classes_100x8", 1);
  count_pieces();
  return 0;
}
