// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions per report with fixed seeds, on targets with an instruction counter:
//   count <name> <mean> <max>      a report after begin_report(), all ChaCha blocks included
//   constant <name> <spread>       largest minus smallest count over many answers with the same coins
// The entropy hook copies prepared words, so what it costs (line entropy_hook) is next to nothing. Ends with 1 when the
// duration of a stem that promises constant time depends on the answer.
#include <cstdint>
#include <span>

#include "bench_support.hpp"
#include "sotto/chacha.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/gaussian.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/randomize/window.hpp"

using namespace sotto;

namespace {

constexpr EpsilonNano k_two = 2 * k_epsilon_one, k_four = 4 * k_epsilon_one;
constexpr std::uint32_t k_many = 256, k_few = 8;

// One set of buffers for all: the smallest board has 12 KiB for them.
Q15 direction[512];
std::int32_t transform[256];
std::uint16_t scores[1024];
std::uint32_t report;

void fill_direction(std::uint32_t dimension, SeededEntropy& inputs) {
  for (std::uint32_t j = 0; j < dimension; ++j) direction[j] = static_cast<Q15>(inputs.word() & 0xfffu) - 2048;
}

void count_pieces() {
  std::uint32_t key[8] = {}, nonce[3] = {}, block[16];
  count_calls("chacha20_block", [&] { chacha_block(key, 0, nonce, ChachaRounds::private_coins, block); });
  count_calls("chacha8_block", [&] { chacha_block(key, 0, nonce, ChachaRounds::public_coins, block); });
  PreparedEntropy entropy{1};
  std::uint8_t seed[k_seed_bytes];
  const EntropySource source = entropy.source();
  count_calls("entropy_hook", [&] { (void)source.read(source.context, seed, sizeof seed); });
  PrivateCoins coins;
  count_calls(
      "begin_report", [&] { must_be_ok(coins.begin_report(source)); }, [&] { entropy.prepare(); });
  VoteSpec spec{.epsilon = k_two, .features = 1024};
  must_be_ok(derive(spec));
  count_calls("certify_vote", [&] {
    Certified<VoteSpec> certified;
    must_be_ok(certify(spec, k_two, certified));
  });
}

void count_categories() {
  bench("grr", GrrSpec{.epsilon = k_two, .categories = 8}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) { return grr(spec, input & 7u, coins, report); });
  bench("walsh_hash", WalshHashSpec{.epsilon = k_two, .categories = 1024, .bits = 3}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) {
          return walsh_hash(spec, bench_label(), input & 1023u, coins, report);
        });
  bench("vote", VoteSpec{.epsilon = k_two, .features = 1024}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) {
          return vote(spec, bench_label(), input & 2047u, coins, report);
        });
  bench("hadamard_response", HadamardResponseSpec{.epsilon = k_two, .log2_size = 10, .categories = 1000}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) {
          return hadamard_response(spec, input & 1023u, coins, report);
        });
}

void count_scalars_and_signs() {
  bench("window", WindowSpec{.epsilon = k_four, .outcomes = 12, .width = 3}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) {
          // Shifted, so that answers inside, at and far beyond the clip all occur.
          return window(spec, static_cast<std::int32_t>(input) >> (input & 31u), coins, report);
        });
  bench("block_k24", BlockSpec{.epsilon = k_four, .width = 24, .flips = 8}, k_many,
        [](const auto& spec, std::uint32_t input, auto& coins) { return block(spec, input, coins, report); });
  bench("laplace_g64", LaplaceSpec{.epsilon = k_four, .radius = 64}, k_few,
        [](const auto& spec, std::uint32_t input, auto& coins) {
          return laplace(spec, static_cast<std::int32_t>(input) >> 24, coins, report);
        });
  bench_varying("gaussian_scalar",
                GaussianSpec{.epsilon = k_four, .delta = 18446744073709, .radius = 64, .dimension = 1}, k_many,
                [](const auto& spec, std::uint32_t input, auto& coins) {
                  std::int32_t value = static_cast<std::int32_t>(input) >> 24;
                  return gaussian(spec, {&value, 1}, coins);
                });
}

void count_cross_polytope(const char* name, std::uint32_t log2_size, std::uint32_t closest) {
  bench(
      name,
      CrossPolytopeSpec{.epsilon = k_four, .log2_size = log2_size, .dimension = 1u << log2_size, .closest = closest},
      k_few,
      [](const auto& spec, std::uint32_t, auto& coins) {
        const std::uint32_t size = spec.spec().dimension;
        return cross_polytope(spec, bench_label(), {direction, size}, {transform, size}, coins, report);
      },
      fill_direction);
}

void count_sphere_code(const char* name, std::uint32_t dimension, std::uint32_t codewords) {
  bench(
      name,
      SphereCodeSpec{.epsilon = k_four, .dimension = dimension, .codewords = codewords, .closest = codewords / 16},
      k_few,
      [](const auto& spec, std::uint32_t, auto& coins) {
        return sphere_code(spec, bench_label(), {direction, spec.spec().dimension}, {scores, spec.spec().codewords},
                           coins, report);
      },
      fill_direction);
}

void count_directions() {
  bench(
      "hemisphere_d256", HemisphereSpec{.epsilon = k_two, .dimension = 256}, k_few,
      [](const auto& spec, std::uint32_t, auto& coins) {
        return hemisphere(spec, bench_label(), {direction, 256}, coins, report);
      },
      fill_direction);
  count_cross_polytope("cross_polytope_d64", 6, 9);
  count_cross_polytope("cross_polytope_d256", 8, 33);
  count_sphere_code("sphere_code_d9_m512", 9, 512);
  count_sphere_code("sphere_code_d16_m1024", 16, 1024);
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count_pieces();
  count_categories();
  count_scalars_and_signs();
  count_directions();
  return bench_failed ? 1 : 0;
}
