// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of hemisphere: specs, refusals and reports, bit for bit.
#include "sotto/randomize/hemisphere.hpp"
#include "vector_stem.hpp"
#include "vectors_hemisphere.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Hemisphere {
  using Spec = HemisphereSpec;
  static constexpr auto& good = vectors::k_hemisphere_good;
  static constexpr auto& cases = vectors::k_hemisphere_cases;
  static constexpr auto& bad = vectors::k_hemisphere_bad;
  static constexpr auto& seeds = vectors::k_hemisphere_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.dimension = fields[0];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    const std::span<const Q15> x{vectors::k_hemisphere_inputs + c.input, certified.spec().dimension};
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, hemisphere(certified, label, x, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<Hemisphere>(); }
