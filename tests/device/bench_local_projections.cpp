// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of the projections, from rows that lie in flash:
//   count <name> <mean> <max>
//   constant <name> <spread over the rows>
// Eight rows of 256 numbers: one at the ends of the range, one of zeros, the others bell-shaped with standard deviation 1/16, so
// that a row is about 1 long. The grid's ball has 512 steps; its worst case is a row on the sphere whose rounding leaves it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bench_support.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/local/cosine.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/grid_ball.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/randomize/gaussian.hpp"

using namespace sotto;

namespace {

constexpr std::uint32_t k_rows = 8, k_features = 256, k_projected = 64;

constexpr std::array<Q15, k_rows * k_features> make_rows() {
  std::array<Q15, k_rows * k_features> rows{};
  std::uint32_t state = 1;
  for (Q15& x : rows) {
    std::int32_t sum = 0;
    for (int i = 0; i < 4; ++i) {
      state = state * 1664525u + 1013904223u;
      sum += static_cast<std::int32_t>(state >> 20) - 2048;
    }
    x = static_cast<Q15>(sum * 7 / 8);
  }
  for (std::uint32_t i = 0; i < k_features; ++i) rows[i] = i % 3 == 0 ? Q15{-32768} : Q15{32767};
  for (std::uint32_t i = 0; i < k_features; ++i) rows[k_features + i] = 0;
  return rows;
}
constexpr std::array<Q15, k_rows* k_features> k_numbers = make_rows();

bool read_row(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t j = 0; j < count; ++j) out[j] = k_numbers[row * k_features + first + j];
  return true;
}
constexpr Samples k_mapped{k_rows, k_features, k_numbers.data(), k_features, nullptr, nullptr};
constexpr Samples k_hooked{k_rows, k_features, nullptr, 0, nullptr, read_row};
constexpr Samples k_narrow{k_rows, 4, k_numbers.data(), k_features, nullptr, nullptr};

std::byte work[hadamard_project_work_bytes(k_features)];
std::int32_t z[k_projected];
std::uint32_t row;

void next_bell_row() { row = row >= 2 && row + 1 < k_rows ? row + 1 : 2; }

/// Counts a call for each row; all must cost the same, up to the counter's own step.
template <class Call>
void count_rows(const char* name, Call call) {
  Counts counts;
  for (row = 0; row < k_rows; ++row) {
    board_count_start();
    call();
    counts.add(board_count());
  }
  print_counts(name, counts);
  board_puts("constant ");
  board_puts(name);
  board_puts(" ");
  board_put_u32(counts.most - counts.least);
  board_puts("\n");
}

void count_hadamard(const char* name, std::uint32_t block, const Samples& samples = k_mapped) {
  count_rows(name, [&, block] { hadamard_project(bench_label(), block, samples, row, work, z); });
}

void count_fourier(const char* name, const Samples& samples) {
  const FourierSpec spec{bench_label(), 1u << 16};
  count_rows(name, [&] { fourier_features(spec, samples, row, z); });
}

void count_grid(const char* name, std::uint32_t radius_q24, bool round_out) {
  const auto fill = [=] {
    next_bell_row();
    hadamard_project(bench_label(), k_features, k_mapped, row, work, z);
    // 60.5 and 66.5 steps and a little: 508.6 steps long, 512.6 after rounding.
    for (std::uint32_t j = 0; round_out && j < k_projected; ++j) z[j] = ((j & 1u) != 0 ? 121 : 133) * (1 << 14) + 1;
  };
  count_calls(
      name, [=] { grid_ball(z, radius_q24, 512); }, fill);
}

/// A whole sketch of one row: projection, grid, noise at epsilon 2 and delta 1e-6. The noise's time varies.
void count_sketch(const char* name) {
  constexpr std::uint32_t k_grid = 512;
  GaussianSpec spec{2 * k_epsilon_one, 18446744073709u, k_grid, 0, k_projected + 1};
  must_be_ok(derive(spec));
  static Certified<GaussianSpec> certified;
  must_be_ok(certify(spec, k_epsilon_max, certified));
  static std::int32_t numbers[k_projected + 1];
  const std::span<std::int32_t> projected{numbers, k_projected};
  SeededEntropy entropy{3};
  PrivateCoins coins;
  Counts counts;
  for (int i = 0; i < 24; ++i) {
    next_bell_row();
    must_be_ok(coins.begin_report(entropy.source()));
    board_count_start();
    hadamard_project(bench_label(), k_features, k_mapped, row, work, projected);
    grid_ball(projected, 1u << 25, k_grid);
    numbers[k_projected] = 0;
    must_be_ok(gaussian(certified, numbers, coins));
    counts.add(board_count());
  }
  print_counts(name, counts);
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count_hadamard("hadamard_project_256_64", k_features);
  count_hadamard("hadamard_project_256_64_hook", k_features, k_hooked);
  count_hadamard("hadamard_project_256_64_blocks_of_64", k_projected);
  count_sketch("sketch_256_64_hadamard_noise");
  count_fourier("fourier_256_64", k_mapped);
  count_fourier("fourier_4_64", k_narrow);
  count_grid("grid_ball_64_inside", 1u << 26, false);
  count_grid("grid_ball_64_clipped", 1u << 23, false);
  count_grid("grid_ball_64_rounded_out", 1u << 24, true);
  volatile std::uint32_t turns = 123456789;
  count_calls("cosine_q24", [&] { turns = static_cast<std::uint32_t>(cosine_q24(turns)); });
  return 0;
}
