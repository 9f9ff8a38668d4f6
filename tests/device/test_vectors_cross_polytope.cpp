// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of cross_polytope: specs, refusals and reports, bit for bit.
#include "sotto/randomize/cross_polytope.hpp"
#include "vector_stem.hpp"
#include "vectors_cross_polytope.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct CrossPolytope {
  using Spec = CrossPolytopeSpec;
  static constexpr auto& good = vectors::k_cross_polytope_good;
  static constexpr auto& cases = vectors::k_cross_polytope_cases;
  static constexpr auto& bad = vectors::k_cross_polytope_bad;
  static constexpr auto& seeds = vectors::k_cross_polytope_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.log2_size = fields[0];
    spec.dimension = fields[1];
    spec.closest = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    const std::span<const Q15> x{vectors::k_cross_polytope_inputs + c.input, certified.spec().dimension};
    static std::int32_t numbers[512];  // log2_size 9 is the largest of the vectors
    const std::span<std::int32_t> work{numbers, std::size_t{1} << certified.spec().log2_size};
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, cross_polytope(certified, label, x, work, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<CrossPolytope>(); }
