// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of the local selectors on one data set that lies in flash:
//   count <name> <mean> <max>
// 100 rows of 1024 features, bell-shaped with standard deviation 1/4; the target is 0.2 times the sum of eight of them, and
// noise. The Lasso works on the 64 columns that screening keeps, read in place.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bench_support.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/pick.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/local/screen.hpp"

using namespace sotto;

namespace {

constexpr std::uint32_t k_rows = 100, k_features = 1024, k_stride = k_features + 1, k_kept = 64, k_unit = 8192;

struct Bell {
  std::uint32_t state = 1;
  constexpr std::int32_t operator()() {
    std::int32_t sum = 0;
    for (int i = 0; i < 4; ++i) {
      state = state * 1664525u + 1013904223u;
      sum += static_cast<std::int32_t>(state >> 18) - 8192;
    }
    return sum * 28 / 32;
  }
};

constexpr std::array<Q15, k_rows * k_stride> make_samples() {
  std::array<Q15, k_rows * k_stride> samples{};
  Bell bell;
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    std::int32_t target = bell();
    for (std::uint32_t j = 0; j < k_features; ++j) {
      const std::int32_t x = bell();
      samples[i * k_stride + j] = static_cast<Q15>(x);
      if (j % 128 == 5) target += x / 5;
    }
    const std::int32_t scaled = target * 7 / 8;
    samples[i * k_stride + k_features] = static_cast<Q15>(scaled > 32767 ? 32767 : scaled < -32768 ? -32768 : scaled);
  }
  return samples;
}
constexpr std::array<Q15, k_rows* k_stride> k_samples = make_samples();

bool read_row(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t j = 0; j < count; ++j) out[j] = k_samples[row * k_stride + first + j];
  return true;
}
constexpr Samples k_mapped{k_rows, k_features, k_samples.data(), k_stride, nullptr, nullptr};
constexpr Samples k_hooked{k_rows, k_features, nullptr, 0, nullptr, read_row};
constexpr Samples in_own_units() {
  Samples samples = k_mapped;
  samples.units = RowUnits::own;
  return samples;
}
constexpr Samples k_own = in_own_units();
constexpr ScreenSpec k_screen{k_rows, k_unit};

constexpr std::size_t larger(std::size_t a, std::size_t b) { return a > b ? a : b; }
// d = 1024, 64 columns, 200 rows: everything that screening and the Lasso need beside the samples, whichever way they come.
constexpr std::size_t k_work = larger(screen_work_bytes(200, false), lasso_work_bytes(200, k_kept));
static_assert(k_work + k_kept * (sizeof(ScreenedColumn) + 2 * sizeof(std::uint16_t) + sizeof(std::int32_t)) <=
              6 * 1024);

std::byte work[k_work];
ScreenedColumn best[k_kept];
std::uint16_t chosen[k_kept], offsets[k_kept];
std::int32_t beta_q24[k_kept];

ColumnView screened() {
  screen(k_screen, k_mapped, {}, work, best);
  for (std::uint32_t j = 0; j < k_kept; ++j) chosen[j] = best[j].column;
  return gather_columns(k_mapped, chosen, offsets, {});
}

std::uint32_t tenth_of_lambda_max_q24(const ColumnView& view) {
  std::int64_t most = 0;
  for (const std::uint16_t column : view.column) {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < view.rows; ++i)
      sum += view.base[i * view.stride + column] * view.target[i * view.stride];
    most = sum > most ? sum : -sum > most ? -sum : most;
  }
  return static_cast<std::uint32_t>(most / 64 / k_rows / 10);  // Q30 to Q24
}

void count_lasso(const char* name, const LassoSpec& spec, const ColumnView& view) {
  count_calls(name, [&] { lasso(spec, view, work, beta_q24); });
}

// The rule's lambda: what a device runs.
void count_lasso_rule() {
  const ColumnView view = screened();
  count_lasso("lasso_rule", {.nominal_rows = k_rows, .lambda_q24 = lambda_rule_q24(k_features, k_rows, k_unit, 7168)},
              view);
}

// 20 values down to a tenth of the largest, tolerance 1e-4 at each.
void count_lasso_path() {
  const ColumnView view = screened();
  count_lasso("lasso_path",
              {.nominal_rows = k_rows, .lambda_q24 = tenth_of_lambda_max_q24(view), .tolerance_q24 = 1678}, view);
}

// The same, with the last value as accurate as fixed point allows (2e-7): the default.
void count_lasso_path_exact() {
  const ColumnView view = screened();
  count_lasso("lasso_path_exact", {.nominal_rows = k_rows, .lambda_q24 = tenth_of_lambda_max_q24(view)}, view);
}

// No penalty and no tolerance: all visits are made. The worst case.
void count_lasso_worst() {
  const ColumnView view = screened();
  count_lasso("lasso_worst",
              {.nominal_rows = k_rows, .lambda_q24 = 0, .path_tolerance_q24 = 0, .tolerance_q24 = 0, .visits = 8192},
              view);
}

void count_pick() {
  PreparedEntropy entropy{1};
  PrivateCoins coins;
  must_be_ok(coins.begin_report(entropy.source()));
  for (std::uint32_t j = 0; j < k_kept; ++j) beta_q24[j] = static_cast<std::int32_t>(j * 65536);
  std::uint32_t feature = 0;
  count_calls("pick_weighted", [&] { must_be_ok(pick(Pick::weighted, chosen, beta_q24, k_features, coins, feature)); });
}

void count_scad() {
  const ColumnView view = screened();
  const ScadSpec spec{{.nominal_rows = k_rows, .lambda_q24 = lambda_rule_q24(k_features, k_rows, k_unit, 7168, 16384)},
                      k_unit};
  count_calls("scad_rule", [&] { scad(spec, k_scad_rounds, view, work, beta_q24); });
}

// The scores alone: one column is kept.
void count_screen_scores() {
  count_calls("screen_scores", [] { screen(k_screen, k_mapped, {}, work, std::span{best}.first(1)); });
}

// The same on a device that centres and scales its columns.
void count_screen_own_scores() {
  count_calls("screen_own_scores", [] { screen(k_screen, k_own, {}, work, std::span{best}.first(1)); });
}

void count_screen_top64() {
  count_calls("screen_top64", [] { screen(k_screen, k_mapped, {}, work, best); });
}

void count_screen_top64_hook() {
  count_calls("screen_top64_hook", [] { screen(k_screen, k_hooked, {}, work, best); });
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count_lasso_path();
  count_lasso_path_exact();
  count_lasso_rule();
  count_lasso_worst();
  count_pick();
  count_scad();
  count_screen_own_scores();
  count_screen_scores();
  count_screen_top64();
  count_screen_top64_hook();
  return 0;
}
