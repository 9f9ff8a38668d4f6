// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The pure-epsilon randomizers: the local answer is secret, the report public. The coins are not marked, because a rejected word
// is drawn again, which tells nothing about the answer.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "cases.hpp"
#include "secret.hpp"
#include "seeded_entropy.hpp"
#include "sotto/certified.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/window.hpp"

namespace sotto {
namespace {

constexpr EpsilonNano k_two = 2 * k_epsilon_one, k_four = 4 * k_epsilon_one;

CoinLabel label() {
  static const std::uint8_t study_seed[32] = {7};
  return {study_seed, 12345, 1};
}

void must(Status status) {
  if (status != Status::ok) std::abort();
}

/// Several reports with the answer that `randomize` makes secret.
template <class Spec, class Randomize>
void reports(Spec spec, Randomize randomize) {
  Certified<Spec> certified;
  must(derive(spec));
  must(certify(spec, spec.epsilon, certified));
  SeededEntropy entropy{11};
  PrivateCoins coins;
  for (std::uint32_t i = 0; i < 8; ++i) {
    must(coins.begin_report(entropy.source()));
    std::uint32_t report = 0;
    must(randomize(certified, i * 0x20406081u, coins, report));
    make_public(report);
  }
}

template <std::size_t N>
std::array<Q15, N> secret_direction(std::uint32_t input) {
  std::array<Q15, N> x{};
  for (std::size_t j = 0; j < N; ++j) x[j] = static_cast<Q15>((input + 2654435761u * j) & 0xfffu) - 2048;
  make_secret(x);
  return x;
}

void run_grr() {
  reports(GrrSpec{.epsilon = k_two, .categories = 8}, [](const auto& spec, auto x, auto& coins, auto& report) {
    x >>= 24;
    make_secret(x);
    return grr(spec, x, coins, report);
  });
}

void run_vote() {
  reports(VoteSpec{.epsilon = k_two, .features = 1024}, [](const auto& spec, auto x, auto& coins, auto& report) {
    x &= 2047u;
    make_secret(x);
    return vote(spec, label(), x, coins, report);
  });
}

void run_hadamard_response() {
  reports(HadamardResponseSpec{.epsilon = k_two, .log2_size = 10, .categories = 1000},
          [](const auto& spec, auto x, auto& coins, auto& report) {
            x &= 1023u;
            make_secret(x);
            return hadamard_response(spec, x, coins, report);
          });
}

void run_block() {
  reports(BlockSpec{.epsilon = k_four, .width = 24, .flips = 8},
          [](const auto& spec, auto x, auto& coins, auto& report) {
            make_secret(x);
            return block(spec, x, coins, report);
          });
}

void run_window() {
  reports(WindowSpec{.epsilon = k_four, .outcomes = 12, .width = 3},
          [](const auto& spec, auto input, auto& coins, auto& report) {
            std::int32_t x = static_cast<std::int32_t>(input) >> (input & 31u);
            make_secret(x);
            return window(spec, x, coins, report);
          });
}

void run_laplace() {
  reports(LaplaceSpec{.epsilon = k_two, .radius = 256}, [](const auto& spec, auto input, auto& coins, auto& report) {
    std::int32_t x = static_cast<std::int32_t>(input) >> (input & 31u);
    make_secret(x);
    return laplace(spec, x, coins, report);
  });
}

void run_hemisphere() {
  reports(HemisphereSpec{.epsilon = k_two, .dimension = 64},
          [](const auto& spec, auto input, auto& coins, auto& report) {
            return hemisphere(spec, label(), secret_direction<64>(input), coins, report);
          });
}

void run_cross_polytope() {
  reports(CrossPolytopeSpec{.epsilon = k_four, .log2_size = 6, .dimension = 64, .closest = 9},
          [](const auto& spec, auto input, auto& coins, auto& report) {
            std::array<std::int32_t, 64> work{};
            return cross_polytope(spec, label(), secret_direction<64>(input), work, coins, report);
          });
}

void run_sphere_code() {
  reports(SphereCodeSpec{.epsilon = k_four, .dimension = 9, .codewords = 512, .closest = 32},
          [](const auto& spec, auto input, auto& coins, auto& report) {
            std::array<std::uint16_t, 512> work{};
            return sphere_code(spec, label(), secret_direction<9>(input), work, coins, report);
          });
}

constexpr Case k_cases[] = {{"grr", run_grr},
                            {"vote", run_vote},
                            {"hadamard_response", run_hadamard_response},
                            {"block", run_block},
                            {"window", run_window},
                            {"laplace", run_laplace},
                            {"hemisphere", run_hemisphere},
                            {"cross_polytope", run_cross_polytope},
                            {"sphere_code", run_sphere_code}};

}  // namespace

std::span<const Case> randomizer_cases() { return k_cases; }

}  // namespace sotto
