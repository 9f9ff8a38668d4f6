// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of laplace: specs, refusals and reports, bit for bit.
#include "sotto/randomize/laplace.hpp"
#include "vector_stem.hpp"
#include "vectors_laplace.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Laplace {
  using Spec = LaplaceSpec;
  static constexpr auto& good = vectors::k_laplace_good;
  static constexpr auto& cases = vectors::k_laplace_cases;
  static constexpr auto& bad = vectors::k_laplace_bad;
  static constexpr auto& seeds = vectors::k_laplace_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.radius = fields[0];
    spec.bits = fields[1];
    return spec;
  }
  static void underived(Spec& spec) { spec.bits = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, laplace(certified, static_cast<std::int32_t>(c.input), coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

void digit_thresholds_are_the_references() {
  const std::uint64_t* want = vectors::k_laplace_digit_thresholds;
  std::size_t n = 0;
  for (const vectors::StemGood& g : Laplace::good) {
    const Row row{n++};
    const LaplaceSpec spec = vectors::spec_of<Laplace>(g);
    const std::uint64_t step = laplace_step_q40(spec);
    for (std::uint32_t j = 0; j < spec.bits; ++j) vectors::expect64(*want++, laplace_digit_threshold(step, j), row);
  }
}

}  // namespace

int main() {
  const int stem = vectors::run_stem_tests<Laplace>();
  UNITY_BEGIN();
  RUN_TEST(digit_thresholds_are_the_references);
  return stem + UNITY_END();
}
