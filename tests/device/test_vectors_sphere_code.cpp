// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of sphere_code: specs, refusals and reports, bit for bit.
#include "sotto/randomize/sphere_code.hpp"
#include "vector_stem.hpp"
#include "vectors_sphere_code.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct SphereCode {
  using Spec = SphereCodeSpec;
  static constexpr auto& good = vectors::k_sphere_code_good;
  static constexpr auto& cases = vectors::k_sphere_code_cases;
  static constexpr auto& bad = vectors::k_sphere_code_bad;
  static constexpr auto& seeds = vectors::k_sphere_code_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.dimension = fields[0];
    spec.codewords = fields[1];
    spec.closest = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    const std::span<const Q15> x{vectors::k_sphere_code_inputs + c.input, certified.spec().dimension};
    static std::uint16_t scores[512];  // the largest codebook of the vectors
    const std::span<std::uint16_t> work{scores, certified.spec().codewords};
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, sphere_code(certified, label, x, work, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<SphereCode>(); }
